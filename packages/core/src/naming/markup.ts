// Markup around a name: reasoning, tags, markdown, quotes. Each function only ever shortens a text, so that applying them
// again and again comes to an end.

const names = 'think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad'
/** How models mark their reasoning: tags, [THINK], ◁think▷, channels. */
const reasoning = [
  [`<(?:${names})(?:\\s[^<>]*)?>`, `</(?:${names})\\s*>`],
  ['\\[THINK\\]', '\\[/THINK\\]'],
  ['◁think▷', '◁/think▷'],
  ['<\\|channel\\|>\\s*(?:analysis|commentary)', '<\\|end\\|>'],
].map(([open, close]) => ({
  closed: new RegExp(`${open}[\\s\\S]*?(?:${close}|$)`, 'giu'),
  unopened: new RegExp(`^[\\s\\S]*${close}`, 'iu'),
}))

/** The text without a model's reasoning: an open tag without its end hides all that follows, an end all before it. */
export function dropReasoning(text: string): string {
  return reasoning.reduce(
    (rest, { closed, unopened }) => rest.replace(closed, '\n').replace(unopened, ''),
    text,
  )
}

const comments = /<!--[\s\S]*?(?:-->|$)/g
/** Models' own marks, `<|im_end|>`; a role or a channel follows some. */
const modelMarks = /<[|｜](?:start|channel)[|｜]>\s*\w*|<[|｜][^<>|｜]*[|｜]>/g
const anyTag = /<[/!?]?(\p{L}[\p{L}\p{N}_:.-]*)(?:\s[^<>]*)?[/?]?>/gu
const unclosedTags = /(?:<[/!?]?\p{L}[\p{L}\p{N}_:.-]*(?:\s[^<>]*)?)+$/u
const breaking =
  /^(?:br|p|div|li|[uod]l|tr|table|h[1-6]|hr|title|name|answer|output|result|body|head|pre|section)$/i

/** The text without XML-like tags, nested ones too; those that begin a line in HTML do so here. */
export function stripTags(text: string): string {
  let rest = text.replace(comments, '').replace(modelMarks, '')
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(anyTag, (_, name: string) => (breaking.test(name) ? '\n' : ''))
  }
  return rest
}

/** The text without the lines that open or close a block of code. */
export function dropFences(text: string): string {
  return text.replace(/^[ >]*(?:`{3,}|~{3,})[ \t]*(?:[\w+#.-]*[ \t]*$|json\b)/gimu, '')
}

const lineMarks =
  /^(?:\s*(?:#{1,6}(?=\s|$)|>|[*+\-•‣◦▪–—](?=\s|$)|\d{1,2}[.)](?=\s|$)|\[[ xX]\](?=\s|$)|\|))+/u
const image = /!?\[([^[\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s[^()]*)?\)/gu
const reference = /(?<![\p{L}\p{N}\])])\[([^[\]]+)\]\[[^[\]]*\]/gu
const address = /<((?:https?|mailto):[^\s<>]+)>/giu
const strong = /(\*{2,3}|~~|(?<![\p{L}\p{N}_])_{2,3}(?=[^_]))(?=\S)(.+?)(?<=\S)\1/gu
const emphasis =
  /(?<![\p{L}\p{N}*\\])\*(?=[^\s*])([^*]+)(?<=\S)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_\\])_(?=[^\s_])([^_]+)(?<=\S)_(?![\p{L}\p{N}_])/gu
const strayStrong = /(?<![\p{L}\p{N}])(?:\*{2,}|~~)|(?:\*{2,}|~~)(?![\p{L}\p{N}])/gu

/** A line without markdown: what marks a heading, a quotation or a list, links (their text stays), emphasis. */
export function stripMarkdown(line: string): string {
  return line
    .replace(unclosedTags, '')
    .replace(lineMarks, '')
    .replace(/\s#+\s*$/u, '')
    .replace(image, '$1')
    .replace(reference, '$1')
    .replace(address, '$1')
    .replace(strong, '$2')
    .replace(emphasis, (_, starred?: string, underlined?: string) => starred ?? underlined ?? '')
    .replace(strayStrong, '')
    .replace(/\\([\\*_#`~[\]])/gu, '$1')
}

const quotes = /["“”„‟«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟＂`´｀❝❞]/gu
const singleQuoted = /(?<![\p{L}\p{N}])['‘‚‛＇](?=[^\s'‘’＇])([^'‘’＇]*)['’＇](?![\p{L}\p{N}])/gu

/** A line without quotes of any kind; an apostrophe stays (`don't`). */
export function stripQuotes(line: string): string {
  return line.replace(quotes, '').replace(singleQuoted, '$1')
}

const pairs: ReadonlyMap<string, string> = new Map(
  ['()', '[]', '{}', '（）', '［］', '【】', '〔〕', '《》', '〈〉', '〖〗'].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
)

/** A line without brackets that are around the whole of it. */
export function unwrap(line: string): string {
  let inner = line.trim()
  for (let close = pairs.get(inner.charAt(0)); close !== undefined; close = pairs.get(inner.charAt(0))) {
    const open = inner.charAt(0)
    let depth = 0
    let at = 0
    do {
      if (inner.charAt(at) === open) depth++
      else if (inner.charAt(at) === close) depth--
      at++
    } while (depth > 0 && at < inner.length)
    if (depth > 0 || at < inner.length) break
    inner = inner.slice(1, -1).trim()
  }
  return inner
}

const leading = /^(?:[\s\p{M}]|\.{2,}|(?:[\p{P}--[\p{Ps}\p{Pi}\p{Pc}#@.\/]]|[\|~=<>^])(?![\ufe0f\u20e3]))+/v
const trailing = /(?:\s|[\p{P}--[\p{Pe}\p{Pf}#%‰@]]|[\|~=<>^])+$/v

/** A line without punctuation around it; what begins or ends a name stays: `.env`, `/login`, `C#`, `parse()`. */
export function trimPunctuation(line: string): string {
  return line.replace(leading, '').replace(trailing, '')
}
