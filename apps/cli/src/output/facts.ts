// Facts about a thing in as few lines as a terminal lets them have.

import { widthOf } from './width.ts'

/** Facts with dots between them, in lines of at most `width` columns where a fact is not longer itself; '' is none. */
export function joinFacts(facts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const fact of facts.filter((one) => one !== '')) {
    const before = lines.at(-1)
    const longer = `${before} · ${fact}`
    if (before === undefined || widthOf(longer) > width) lines.push(fact)
    else lines[lines.length - 1] = longer
  }
  return lines
}
