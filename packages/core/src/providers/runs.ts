// Neighbours of one side. A run that was read wholly from the provider it goes to is written as it was, message by
// message; any other is written anew as one turn, for providers want calls and results grouped.

import { type Block, type Entry, isCall, isResult, isText } from './blocks.ts'

export interface Run<Side extends string> {
  readonly side: Side
  readonly entries: readonly Entry[]
  readonly isExact: boolean
}

/** The runs of one side each, in order. */
export function runsOf<Side extends string>(
  entries: readonly Entry[],
  sideOf: (entry: Entry) => Side,
  isExact: (entry: Entry) => boolean,
): Run<Side>[] {
  const runs: { side: Side; entries: Entry[]; isExact: boolean }[] = []
  for (const entry of entries) {
    const side = sideOf(entry)
    const last = runs.at(-1)
    if (last?.side === side) {
      last.entries.push(entry)
      last.isExact &&= isExact(entry)
    } else runs.push({ side, entries: [entry], isExact: isExact(entry) })
  }
  return runs
}

/** All blocks of a run. */
export function blocksOf(run: { readonly entries: readonly Entry[] }): Block[] {
  return run.entries.flatMap(({ blocks }) => blocks)
}

/**
 * For providers that take system messages anywhere but between calls and their results: such a one follows the results.
 * Those that `isExact` names stay where they are.
 */
export function settleSystem(entries: readonly Entry[], isExact: (entry: Entry) => boolean): Entry[] {
  const settled: Entry[] = []
  let waiting: Entry[] = []
  let isCalling = false
  for (const entry of entries) {
    const isAnswer = entry.role !== 'assistant' && entry.blocks.some(isResult)
    if (entry.role === 'system' && isCalling && !isExact(entry)) waiting.push(entry)
    else if (isAnswer) settled.push(entry)
    else {
      settled.push(...waiting, entry)
      waiting = []
      isCalling = entry.role === 'assistant' && entry.blocks.some(isCall)
    }
  }
  return [...settled, ...waiting]
}

/**
 * For providers with one system field: the system messages that go into it, and the rest, in which one from the middle
 * has become a marked text of the user. `stays` names those that the provider takes where they are.
 */
export function hoistSystem(
  entries: readonly Entry[],
  isField: (entry: Entry) => boolean,
  stays: (entry: Entry) => boolean,
): { readonly system: readonly Entry[]; readonly rest: readonly Entry[] } {
  const system: Entry[] = []
  const rest: Entry[] = []
  for (const entry of entries) {
    if (entry.role !== 'system' || (stays(entry) && !isField(entry))) rest.push(entry)
    else if (isField(entry) || rest.length === 0) system.push(entry)
    else rest.push({ role: 'user', blocks: entry.blocks.filter(isText).map(marked), metadata: undefined })
  }
  return { system, rest }
}

function marked(block: Block): Block {
  return { type: 'text', text: `[system]\n${String(block.text)}` }
}
