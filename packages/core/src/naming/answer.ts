// What models put around a name though they are asked not to: JSON, a tag of its own, a label, a polite beginning.

const keys =
  '(?:session|conversation|chat|thread)?[_ -]?(?:title|name|topic)|标题|標題|名称|名稱|名字|主题|主題|タイトル|제목'
const quoted = `(?:"((?:[^"\\\\]|\\\\[\\s\\S])*)|'((?:[^'\\\\]|\\\\[\\s\\S])*))`
const keyed = new RegExp(`[{,]\\s*["'](?:${keys})["']\\s*:\\s*${quoted}`, 'iu')
const firstValue = new RegExp(`:\\s*${quoted}`, 'u')
const firstItem = new RegExp(`^\\[\\s*${quoted}`, 'u')
const tagged = /<((?:session|conversation|chat)?[_-]?(?:title|name)|answer)>([\s\S]*?)<\/\1>/iu

/** The answer inside a JSON value or a tag that names it; '' for JSON that holds no text, else the text itself. */
export function answerOf(text: string): string {
  const inTag = tagged.exec(text)?.[2]
  if (inTag !== undefined) return inTag
  const trimmed = text.trim()
  const isObject = /^\{\s*(?:["'}]|$)/u.test(trimmed)
  const isArray = /^\[\s*(?:["'{]|$)/u.test(trimmed)
  const found =
    keyed.exec(trimmed) ??
    (isArray ? firstItem.exec(trimmed) : null) ??
    (isObject || isArray ? firstValue.exec(trimmed) : null)
  if (found === null) return isObject || isArray ? '' : text
  return unescapeText(found[1] ?? found[2] ?? '')
}

function unescapeText(literal: string): string {
  try {
    return String(JSON.parse(`"${literal}"`))
  } catch {
    // Single quotes, a raw newline, or an escape that was cut off.
    return literal.replace(/\\n/gu, '\n').replaceAll('\\', '')
  }
}

const thing = '(?:session|conversation|chat|thread|discussion)'
const english =
  '(?:(?:sure|ok(?:ay)?|certainly|of course|absolutely|great)\\b[\\s,.!:–—-]*)?' +
  "(?:(?:here(?:['’]s|\\s+is)|this\\s+is|the|an?|my|your)\\s+)*" +
  `(?:(?:suggested|proposed|possible|short|concise|brief|descriptive|suitable|good|best|final|new|${thing})\\s+)*` +
  '(?:title|name|topic|subject|heading|headline)' +
  `(?:\\s+(?:for|of)\\s+(?:(?:the|this|that|our|your)\\s+)?${thing})?` +
  '(?:\\s+(?:is|(?:would|could|might)\\s+be))?'
const chinese =
  '(?:好的|当然|當然)?[，,。！!]?\\s*(?:(?:以下|下面|这|這)是)?' +
  '(?:(?:建议|建議|推荐|推薦|会话|會話|对话|對話|聊天|本次|生成)的?)*' +
  '(?:标题|標題|名称|名稱|名字|名|主题|主題|题目|題目)(?:是|为|為)?'
const others =
  'タイトル|件名|題名|会話名|제목|이름|titel|titre|título|titulo|titolo|tytuł|название|заголовок|тема|başlık|tiêu đề'
const label = new RegExp(`^\\s*(?:${english}|${chinese}|${others})\\s*(?:[:：]|=(?=\\s*["'“「]))\\s*`, 'iu')

/** A line without "Title:", "标题：" or "Sure! Here is a name for this conversation:" before the name. */
export function dropLabel(line: string): string {
  return line.replace(label, '')
}
