// Text in the columns of a terminal, where 好 and 👩‍👩‍👧 take two each. `string-width` compiles the pattern of all emoji when it
// is loaded: nothing that runs before a table is printed may import this file.

import stringWidth from 'string-width'

/** The columns that text without control characters takes. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

const graphemes = new Intl.Segmenter()

/** The text in at most `width` columns; what is cut off ends in `…`. */
export function truncate(text: string, width: number): string {
  // Most text is far from the limit, or so far above that measuring all of it would cost.
  const head = text.length > width * 16 ? text.slice(0, width * 16) : text
  if (head === text && widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(head)) {
    const next = widthOf(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}
