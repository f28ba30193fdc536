// Errors inside texts: `400 {"type":"error",…}` of the SDKs, Python's `Error code: 400 - {'error': {…}}`, JSON that a
// proxy or a log cut off, Go's `400 Bad Request "…"`.

/** An error found in a text, and the text around it. */
export interface EmbeddedError {
  readonly around: string
  readonly value: unknown
}

// What stands before an HTTP status in "400 {", "[429]:", "Error code: 400", "API Error: 400", "status=413", "HTTP 402".
const leadingStatus =
  /(?:^[\s([]{0,4}|(?:error|exception|code|status|http)[\s:='"]{1,4})([45]\d\d)\b(?! (?:tokens|char|bytes|files))/i
const label = /^(?:[\w.]{0,80}(?:error|exception|message)[\s:]{1,3})?["“]/i
const statusThenQuote = /\b[45]\d\d\b[\w .:()-]{0,40}"/
const messageKey = /(?:\\{0,8}["'][Mm]essage\\{0,8}["']\s{0,4}:|\b[Mm]essage=)\s{0,4}(\\{0,8}["'])/
const codeField = /["']code\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["']?([\w.-]{1,60})/i
const typeField = /["']type\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["']?(?!error\b)([\w.-]{1,60})/i
const maxMessages = 4

/** The HTTP error status that a text begins with or names in its first words. */
export function statusInText(text: string): number | undefined {
  const found = leadingStatus.exec(text.slice(0, 160))
  return found ? Number(found[1]) : undefined
}

/** The error that a text carries, `undefined` where it is prose. */
export function embeddedError(text: string): EmbeddedError | undefined {
  const trimmed = text.trim()
  return jsonWithin(trimmed) ?? looseObject(trimmed) ?? quotedMessage(trimmed)
}

function jsonWithin(text: string): EmbeddedError | undefined {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from === -1 || to < from) return undefined
  const value = parse(text.slice(from, to + 1))
  // The brackets of a list of one stay outside: they are no words.
  return typeof value === 'object'
    ? { around: `${text.slice(0, from)} ${text.slice(to + 1)}`, value }
    : undefined
}

/** A text that is quoted as a whole, or from its status on. */
function quotedMessage(text: string): EmbeddedError | undefined {
  const end = /["”]\.?$/.exec(text.slice(-2))
  if (!end) return undefined
  const value = text.startsWith('"') ? parse(text) : undefined
  if (typeof value === 'string') return { around: '', value }
  const opening = label.exec(text) ?? statusThenQuote.exec(text)
  const from = opening ? opening.index + opening[0].length : 0
  const to = text.length - end[0].length
  return from > 0 && from < to ? { around: text.slice(0, from - 1), value: text.slice(from, to) } : undefined
}

/** What looks like an object but does not parse: Python's repr, JSON escaped once too often or cut off. */
function looseObject(text: string): EmbeddedError | undefined {
  if (!/[Mm]essage/.test(text)) return undefined
  const messages: string[] = []
  let outside = ''
  let first = -1
  for (let at = 0; at !== -1 && messages.length < maxMessages; ) {
    const key = messageKey.exec(text.slice(at))
    if (!key) {
      outside += text.slice(at)
      break
    }
    const from = at + key.index + key[0].length
    if (first === -1) first = at + key.index
    outside += text.slice(at, from)
    at = closingQuote(text, key[1] as string, from)
    messages.push(unescaped(at === -1 ? text.slice(from) : text.slice(from, at)))
  }
  if (first === -1) return undefined
  const brace = text.lastIndexOf('{', first)
  // Of several the last is the innermost: a gateway's own message stands before the one it passes on.
  const value = messages.reduceRight<unknown>((error, message) => ({ message, error }), undefined)
  const fields = { code: looseField(outside, codeField), type: looseField(outside, typeField) }
  return {
    around: text.slice(0, brace === -1 ? first : text.indexOf('{')),
    value: { ...fields, error: value },
  }
}

function closingQuote(text: string, quote: string, from: number): number {
  let at = text.indexOf(quote, from)
  while (at > from && text[at - 1] === '\\') at = text.indexOf(quote, at + 1)
  return at
}

function looseField(text: string, field: RegExp): string | undefined {
  return field.exec(text)?.[1]
}

function unescaped(text: string): string {
  return text.replace(/\\{1,8}[nrt]/g, ' ').replace(/\\(["'\\/])/g, '$1')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
