// Tables for people: columns give way where a terminal is narrow, and the least important go first.

import { visibleLine } from './text.ts'
import { truncate, widthOf } from './width.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** How narrow it may become; it keeps its width unless given. */
  readonly min?: number
  /** Which columns go first where even the narrow ones do not fit: the highest; it stays unless given. */
  readonly drop?: number
  readonly style?: (text: string) => string
}

const gap = 2

/**
 * Lays out rows under their titles, in at most `width` columns as far as the columns let it.
 *
 * @param rows cells, one for each column; control characters in them are made visible
 */
export function layoutTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  styleTitle: (text: string) => string = (text) => text,
): string[] {
  const { kept, widths } = chooseColumns(columns, rows, width)
  const line = (cells: readonly string[], styleOf: (column: Column) => (text: string) => string) =>
    kept
      .map((index, place) => {
        const column = columns[index] as Column
        const cell = truncate(visibleLine(cells[index] ?? ''), widths[place] as number)
        const isLast = place === kept.length - 1 && column.align !== 'right'
        const padding = isLast ? '' : ' '.repeat((widths[place] as number) - widthOf(cell))
        const styled = cell === '' ? '' : styleOf(column)(cell)
        return column.align === 'right' ? padding + styled : styled + padding
      })
      .join(' '.repeat(gap))
      .trimEnd()
  return [
    line(
      columns.map((column) => column.title),
      () => styleTitle,
    ),
    ...rows.map((row) => line(row, (column) => column.style ?? ((text) => text))),
  ]
}

function chooseColumns(columns: readonly Column[], rows: readonly (readonly string[])[], width: number) {
  const natural = columns.map((column, index) =>
    rows.reduce((most, row) => Math.max(most, widthOf(visibleLine(row[index] ?? ''))), widthOf(column.title)),
  )
  let kept = columns.map((_, index) => index)
  for (;;) {
    const least = kept.map((index) => Math.min(natural[index] as number, columns[index]?.min ?? Infinity))
    const room = width - gap * (kept.length - 1)
    const victim = kept
      .filter((index) => columns[index]?.drop !== undefined)
      .sort((a, b) => (columns[b]?.drop ?? 0) - (columns[a]?.drop ?? 0))[0]
    if (sum(least) <= room || victim === undefined) {
      return {
        kept,
        widths: share(
          kept.map((index) => natural[index] as number),
          least,
          room,
        ),
      }
    }
    kept = kept.filter((index) => index !== victim)
  }
}

/** Takes from the widest column that may become narrower until all fit. */
function share(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural]
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    let widest = -1
    for (const [index, width] of widths.entries()) {
      const canShrink = width > (least[index] as number)
      if (canShrink && (widest < 0 || width > (widths[widest] as number))) widest = index
    }
    if (widest < 0) break
    widths[widest] = (widths[widest] as number) - 1
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
