// Sizes of text, without a `Buffer`.

/** Bytes of the text in UTF-8; a lone surrogate counts as U+FFFD does, three. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      index++
    } else bytes += 2
  }
  return bytes
}

/** Code points of the text. */
export function codePointLength(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The first `count` code points. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
