// A passage that was found: marked by colour, or between brackets where there is none.

import type { Snippet } from '@sess/core'
import type { Colors } from './output.ts'
import { visibleLine } from './text.ts'

/** The passage on one line, what was found in it marked. */
export function markedSnippet({ text, ranges }: Snippet, colors: Colors): string {
  const isColored = colors.isColorSupported
  const mark = (found: string) => (isColored ? colors.bold(colors.yellow(found)) : `[${found}]`)
  let marked = ''
  let at = 0
  for (const [start, end] of ranges) {
    marked += visibleLine(text.slice(at, start)) + mark(visibleLine(text.slice(start, end)))
    at = end
  }
  return marked + visibleLine(text.slice(at))
}
