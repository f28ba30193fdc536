// Stored text on its way to a terminal. Whoever wrote a message may have put an escape sequence into it, which must not
// be able to move the cursor, set a title or reverse what stands beside it: control characters are made visible. Widths
// are a matter of width.ts, which takes 40 ms to load. In a file that others made, a text may be no string.

const dangerous = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|\p{Surrogate}/gu

/** One line: line breaks and tabs become visible, too. */
export function visibleLine(text: string): string {
  return String(text).replace(dangerous, toVisible)
}

/** Text of several lines: line breaks (CRLF as LF) and tabs stay. */
export function visibleText(text: string): string {
  return String(text)
    .replaceAll('\r\n', '\n')
    .replace(dangerous, (char) => (char === '\n' || char === '\t' ? char : toVisible(char)))
}

/** Text on one line, its runs of blanks made one space; for what is folded anyway. */
export function foldedLine(text: string): string {
  return visibleLine(String(text).replaceAll(/\s+/g, ' ').trim())
}

/** A line of cells with tabs between them, for programs; what a cell is, is not trusted to be what its type says. */
export function tabbedLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => visibleLine(String(cell))).join('\t')}\n`
}

/** A colour, or what is dangerous. */
const colorOrDangerous = new RegExp(`\\u001b\\[[\\d;]*m|${dangerous.source}`, 'gu')

/**
 * Text on its way out. What was stored has been made visible by then; this is for what was forgotten.
 *
 * @param colored whether colours stay
 */
export function safeOutput(text: string, colored: boolean): string {
  return text.replace(colorOrDangerous, (found) => {
    const isMeant = found === '\n' || found === '\t' || (colored && found.endsWith('m'))
    return isMeant ? found : visibleLine(found)
  })
}

/** ESC becomes `␛`; what has no picture of its own, `\u202e`. */
function toVisible(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  if (code >= 0xd800 && code < 0xe000) return '\ufffd'
  return code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16).padStart(4, '0')}`
}
