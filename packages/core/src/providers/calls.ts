// Calls and their results: ids that a provider accepts, the same for a call and its result. Pairing is by position,
// for ids are used again in later turns (`functions.Bash:0`); sets of ids would join what does not belong together.

import { hashText } from '../hash.ts'
import { type Entry, isCall, isResult } from './blocks.ts'

/** Which tool ids a provider takes. */
export interface IdRule {
  readonly fits: (id: string) => boolean
  /** Length of an id made here. */
  readonly maximum: number
}

interface KnownCall {
  readonly id: string
  readonly name: string
  readonly order: number
}

/**
 * The entries with ids that fit, and with `call` in each result: name and order in its turn of the call it answers. An
 * id that fits stays, but for one used again in a message that `isExact` does not name.
 */
export function linkCalls(
  entries: readonly Entry[],
  rule: IdRule,
  isExact: (entry: Entry) => boolean,
): Entry[] {
  const ids = createIdBook(entries, rule)
  const unanswered = new Map<string, KnownCall[]>()
  const latest = new Map<string, KnownCall>()
  let previous: Entry['role'] | undefined
  let order = 0
  return entries.map((entry) => {
    if (entry.role === 'assistant' && previous !== 'assistant') {
      unanswered.clear()
      order = 0
    }
    if (entry.role !== 'system') previous = entry.role
    const blocks = entry.blocks.map((block) => {
      if (isCall(block)) {
        const call = { id: ids.forCall(block.id, isExact(entry)), name: block.name, order: order++ }
        unanswered.set(block.id, [...(unanswered.get(block.id) ?? []), call])
        latest.set(block.id, call)
        return call.id === block.id ? block : { ...block, id: call.id }
      }
      if (!isResult(block)) return block
      const call = unanswered.get(block.tool_use_id)?.shift() ?? latest.get(block.tool_use_id)
      if (call === undefined) return { ...block, tool_use_id: ids.forOrphan(block.tool_use_id) }
      return { ...block, tool_use_id: call.id, call: { name: call.name, order: call.order } }
    })
    return { ...entry, blocks }
  })
}

interface IdBook {
  forCall(id: string, isExact: boolean): string
  forOrphan(id: string): string
}

function createIdBook(entries: readonly Entry[], { fits, maximum }: IdRule): IdBook {
  // Ids that stay as they are; none of them may be given to another call.
  const kept = new Set(
    entries.flatMap(({ blocks }) => blocks.filter(isCall).map(({ id }) => id)).filter(fits),
  )
  const used = new Set<string>()
  const clean = (id: string) => {
    const head = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maximum - 9)
    return `${head.replace(/_+$/, '') || 'call'}_${hashText(id).slice(0, 8)}`
  }
  return {
    forCall(id, isExact) {
      if (fits(id) && (isExact || !used.has(id))) {
        used.add(id)
        return id
      }
      const base = fits(id) ? id : clean(id)
      for (let number = 1; ; number++) {
        const suffix = number === 1 ? '' : `_${number}`
        const candidate = `${base.slice(0, maximum - suffix.length)}${suffix}`
        if (used.has(candidate) || kept.has(candidate)) continue
        used.add(candidate)
        return candidate
      }
    },
    forOrphan: (id) => (fits(id) ? id : clean(id)),
  }
}

/** Gives ids to calls and results whose provider has none, or has them on one side only. */
export interface CallNames {
  /** A new turn of calls begins: results are looked for in this one alone. */
  turn(): void
  /** The id of the next call. */
  call(id: unknown, name: string): string
  /** The id of the call that a result answers: by id, else by name, else in order. */
  result(id: unknown, name: string | undefined): string
}

/** Ids made here are `prefix` and a number from 1. */
export function createCallNames(prefix: string): CallNames {
  let made = 0
  let open: { readonly id: string; readonly name: string; readonly isMade: boolean }[] = []
  const known = new Set<string>()
  const isId = (id: unknown): id is string => typeof id === 'string' && id !== ''
  return {
    turn() {
      open = []
    },
    call(id, name) {
      const given = isId(id) ? id : `${prefix}${++made}`
      known.add(given)
      open.push({ id: given, name, isMade: !isId(id) })
      return given
    },
    result(id, name) {
      if (isId(id) && known.has(id)) {
        const at = open.findIndex((call) => call.id === id)
        if (at >= 0) open.splice(at, 1)
        return id
      }
      // A result with an id can only answer a call that came without one.
      const candidates = isId(id) ? open.filter((call) => call.isMade) : open
      const call =
        candidates.find((each) => each.name === name) ?? (name === undefined ? candidates[0] : undefined)
      if (call) open = open.filter((each) => each !== call)
      return call?.id ?? (isId(id) ? id : `${prefix}${++made}`)
    },
  }
}
