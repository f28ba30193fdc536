// The sessions that answer a search, newest first: found by going through their messages, or through the few sessions
// that come into question at all.

import {
  anyOf,
  breathe,
  type ParsedQuery,
  type SearchPlan,
  type SessionCandidate,
  type SessionRange,
  type SessionSource,
  type Term,
  withoutMessages,
} from '@sess/core/adapter'
import type { StoreParts } from '../context.ts'
import { newestMessages, tailRows, unindexedNames, walkNames } from '../sql/search.ts'
import { nameMatchText } from './match-text.ts'
import {
  groupSize,
  holdsAny,
  isWithin,
  type Looked,
  nameIndex,
  onlyAny,
  SessionAnswers,
} from './session-answers.ts'
import type { SearchView } from './view.ts'
import type { Walker } from './walk.ts'

const nameChunk = 2000
/** A clause that so few sessions hold decides which ones come into question; hits are counted no further than this. */
const rareSessions = 400
const rareHits = 8192

interface Named {
  readonly rowId: number
  /** Where its newest message stands: no hit of it is newer. */
  readonly newest: number
}

export function createSessionSource(
  parts: StoreParts,
  plan: SearchPlan,
  view: SearchView,
  walker: Walker,
): SessionSource {
  const { engine } = parts
  const answers = new SessionAnswers(parts, plan, walker)
  // The bands of a search ask for the same queries again.
  const namedBy = new Map<ParsedQuery, readonly Named[]>()
  const fewBy = new Map<ParsedQuery, readonly Looked[] | undefined>()

  return {
    top: async () => view.top,
    async read(parsed, range, count) {
      const few = await fewAnswering(parsed, range.top)
      const found =
        few?.filter(({ position }) => isWithin(position, range)) ?? (await walk(parsed, range, count))
      const candidates: SessionCandidate[] = []
      for (const { newest, ...one } of found.toSorted((a, b) => b.position - a.position).slice(0, count))
        candidates.push({ ...one, newest: await walker.bodies(newest) })
      return candidates
    },
  }

  /** Goes through the hits, newest first: a session stands where its newest hit does. */
  async function walk(parsed: ParsedQuery, range: SessionRange, count: number): Promise<readonly Looked[]> {
    const { from = Number.NEGATIVE_INFINITY, below = range.top, top } = range
    const named = (await namesOf(parsed, top)).filter(({ newest }) => newest >= from)
    const known = new Set<number>()
    const found: Looked[] = []
    let nextNamed = 0
    /** Looks at sessions, and at those named so that stand no further down. */
    const lookAt = async (rowIds: readonly number[], reached: number) => {
      const all = [...rowIds]
      for (const { rowId, newest } of named.slice(nextNamed)) {
        if (newest < reached) break
        nextNamed++
        if (!known.has(rowId)) all.push(rowId)
        known.add(rowId)
      }
      found.push(...(await answers.answering(parsed, all, range)))
      return found.filter(({ position }) => position >= reached).length >= count
    }
    for await (const chunk of walker.hits(anyOf(parsed), {
      from: Math.max(0, from),
      below: Math.min(top, below),
    })) {
      let group: number[] = []
      for (const { rowId, sessionRowId } of chunk) {
        if (known.has(sessionRowId)) continue
        known.add(sessionRowId)
        group.push(sessionRowId)
        if (group.length < Math.min(groupSize, count)) continue
        if (await lookAt(group, rowId)) return found
        group = []
      }
      if (chunk.length > 0 && (await lookAt(group, chunk.at(-1)?.rowId ?? 0))) return found
    }
    await lookAt([], from)
    return found
  }

  /** What answers, where few sessions come into question; else `undefined`. */
  async function fewAnswering(parsed: ParsedQuery, top: number): Promise<readonly Looked[] | undefined> {
    if (fewBy.has(parsed)) return fewBy.get(parsed)
    const rowIds = await fewSessions(parsed, top)
    const few = rowIds && (await answers.answering(parsed, rowIds, { top }))
    fewBy.set(parsed, few)
    return few
  }

  async function fewSessions({ clauses }: ParsedQuery, top: number): Promise<readonly number[] | undefined> {
    if (view.sessions !== undefined && view.sessions.length <= groupSize) return view.sessions
    if (clauses.length < 2) return undefined
    for (const terms of clauses) {
      const found = await sessionsHolding(terms, top)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Sessions whose messages or names hold any of the terms; `undefined` where they are many. */
  async function sessionsHolding(
    terms: readonly Term[],
    top: number,
  ): Promise<readonly number[] | undefined> {
    const found = new Set(await sessionsNamed(terms, rareSessions))
    let hits = 0
    for await (const chunk of walker.hits(onlyAny(plan, terms), { from: 0, below: top })) {
      for (const { sessionRowId } of chunk) found.add(sessionRowId)
      hits += chunk.length
      if (found.size > rareSessions || hits > rareHits) return undefined
    }
    return found.size > rareSessions ? undefined : [...found]
  }

  /** Searched sessions whose names hold any of what is looked for, newest first. */
  async function namesOf(parsed: ParsedQuery, top: number): Promise<readonly Named[]> {
    const known = namedBy.get(parsed)
    if (known !== undefined) return known
    const rowIds = await sessionsNamed(parsed.clauses.flat())
    const found: Named[] = []
    for (let start = 0; start < rowIds.length; start += nameChunk) {
      await breathe()
      const [rows = []] = await engine.read([newestMessages(rowIds.slice(start, start + nameChunk), top)])
      for (const { rowId, newest } of rows as unknown as readonly (Pick<Named, 'rowId'> & {
        readonly newest: number | null
      })[])
        found.push({ rowId, newest: newest ?? withoutMessages(rowId) })
    }
    found.sort((a, b) => b.newest - a.newest)
    namedBy.set(parsed, found)
    return found
  }

  /** Searched sessions whose names hold any of the terms; where they are more than `enough`, at least so many. */
  async function sessionsNamed(
    terms: readonly Term[],
    enough: number = Number.POSITIVE_INFINITY,
  ): Promise<number[]> {
    const match = nameMatchText(terms)
    if (match === undefined) return []
    const found: number[] = []
    for (let after = 0; view.isIndexed && found.length <= enough; ) {
      const [rows = []] = await engine.read([walkNames(plan, match, after, nameChunk)])
      const walked = rows as unknown as readonly { readonly rowId: number; readonly passes: number }[]
      found.push(...walked.filter(({ passes }) => passes === 1).map(({ rowId }) => rowId))
      if (walked.length < nameChunk) break
      after = walked.at(-1)?.rowId ?? after
      await breathe()
    }
    const [rest = []] = await engine.read([unindexedNames(plan, view.names, tailRows)])
    for (const { rowId, name } of rest as unknown as readonly {
      readonly rowId: number
      readonly name: unknown
    }[]) {
      if (typeof name === 'string' && holdsAny(nameIndex(name), terms)) found.push(rowId)
    }
    return [...new Set(found)]
  }
}
