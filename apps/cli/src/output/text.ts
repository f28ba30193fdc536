// Stored text on its way to a terminal. Whoever wrote a message may have put an escape sequence into it, which must not
// be able to move the cursor, set a title or reverse what stands beside it: control characters are made visible.

import stringWidth from 'string-width'

const dangerous = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|\p{Surrogate}/gu

/** One line: line breaks and tabs become visible, too. */
export function visibleLine(text: string): string {
  return text.replace(dangerous, toVisible)
}

/** Text of several lines: line breaks (CRLF as LF) and tabs stay. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(dangerous, (char) => (char === '\n' || char === '\t' ? char : toVisible(char)))
}

/** Text on one line, its runs of blanks made one space; for what is folded anyway. */
export function foldedLine(text: string): string {
  return visibleLine(text.replaceAll(/\s+/g, ' ').trim())
}

/** ESC becomes `␛`; what has no picture of its own, `\u202e`. */
function toVisible(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  if (code >= 0xd800 && code < 0xe000) return '\ufffd'
  return code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16).padStart(4, '0')}`
}

const graphemes = new Intl.Segmenter()

/** The text in at most `width` columns; what is cut off ends in `…`. */
export function truncate(text: string, width: number): string {
  // Most text is far from the limit, or so far above that measuring all of it would cost.
  const head = text.length > width * 16 ? text.slice(0, width * 16) : text
  if (head === text && stringWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(head)) {
    const next = stringWidth(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}

/** The text filled up to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'left' ? text + space : space + text
}
