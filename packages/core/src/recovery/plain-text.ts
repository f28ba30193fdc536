// Error texts made comparable: a bounded head, no quoted prose, no quotes, lower case, single spaces. Providers quote
// names ('tool_calls', `tool_use`, "user") in every style; what they quote with spaces in it is somebody's text.

/** How much of a text the rules look at, in UTF-16 units. */
export const maxMatchedText = 4096

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  '`': '`',
  "'": "'",
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
}
const isWord = /[\p{L}\p{N}_]/u
const isProse = /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const escapedBreak = /\\{1,8}[nrt]/g
const quotes = /["'`“”‘’「」『』\\]/g

/** The text as rules compare it. */
export function plainText(text: string): string {
  return withoutQuotedProse(text.slice(0, maxMatchedText).replace(escapedBreak, ' '))
    .normalize('NFKC')
    .toLowerCase()
    .replace(quotes, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text with each quoted span that reads like prose replaced by dots; quoted names stay. One pass over the text. */
function withoutQuotedProse(text: string): string {
  const unclosed = new Set<string>()
  let kept = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const open = text[at] as string
    const close = closing[open]
    if (close === undefined || unclosed.has(open)) continue
    const apostrophes = close === "'" || close === '’'
    // An apostrophe inside a word ("model's") opens and closes nothing.
    if (apostrophes && isWord.test(text[at - 1] ?? '')) continue
    let end = text.indexOf(close, at + 1)
    while (apostrophes && end !== -1 && isWord.test(text[end + 1] ?? '')) end = text.indexOf(close, end + 1)
    if (end === -1) {
      unclosed.add(open)
      continue
    }
    if (isProse.test(text.slice(at + 1, end))) {
      kept += `${text.slice(from, at)}...`
      from = end + 1
    }
    at = end
  }
  return kept + text.slice(from)
}
