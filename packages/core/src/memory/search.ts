// Search of the memory store: a plain scan over everything. What it finds is what every store must find.

import type { Operations } from '../adapter/operations.ts'
import { isDamaged, readMessages, toMessage } from '../adapter/records.ts'
import type { MessageHit, MessageSearch } from '../port/search.ts'
import { type Candidate, isCounted, matchOf } from '../search/candidates.ts'
import { columnOf, searchColumns } from '../search/extract.ts'
import { indexTokens, type TokenIndex } from '../search/match.ts'
import { type Hit, searchMessages } from '../search/messages.ts'
import { toMessageHit, toSearchPage } from '../search/page.ts'
import { isSearched, planSearch, type SearchPlan } from '../search/plan.ts'
import type { ParsedQuery } from '../search/query.ts'
import {
  answers,
  anyOf,
  hitsLookedAt,
  type SessionCandidate,
  type SessionRange,
  searchSessions,
  withoutMessages,
} from '../search/sessions.ts'
import { utf8Length } from '../text/utf8.ts'
import type { Message } from '../types/message.ts'
import { matchContext } from './lists.ts'
import type { Entry, MemoryState, StoredRow } from './state.ts'

export function createMemorySearch(state: MemoryState, operations: Operations): MessageSearch {
  const { timeZone } = state.context
  return {
    messages: (query) =>
      operations.call(
        'search.messages',
        () => planSearch('search.messages', query, timeZone),
        async (plan) => {
          const found = await searchMessages(
            plan,
            async function* (_, { from = 0, below = Number.POSITIVE_INFINITY }) {
              const all = searched(state, plan).flatMap((entry) => entry.rows.map((row) => ({ entry, row })))
              all.sort((a, b) => b.row.rowId - a.row.rowId)
              for (const { entry, row } of all) {
                if (row.rowId >= below || row.rowId < from) continue
                const candidate = toCandidate(entry, row)
                if (candidate !== undefined) yield candidate
              }
            },
          )
          const items = found.hits.map((hit) => messageHit(state, plan, hit))
          return toSearchPage(plan, items, found)
        },
      ),
    sessions: (query) =>
      operations.call(
        'search.sessions',
        () => planSearch('search.sessions', query, timeZone),
        async (plan) => {
          const { found, ...rest } = await searchSessions(plan, {
            top: async () => state.messageRowId + 1,
            read: async (parsed, range, count) => readSessions(state, plan, parsed, range).slice(0, count),
          })
          const items = found.map(({ hits, ...session }) => ({
            ...session,
            hits: hits.map((hit) => messageHit(state, plan, hit)),
          }))
          return toSearchPage(plan, items, rest)
        },
      ),
  }
}

function searched(state: MemoryState, plan: SearchPlan): Entry[] {
  return [...state.entries.values()].filter((entry) =>
    isSearched(plan, entry.row, matchContext(state, entry)),
  )
}

function toCandidate(entry: Entry, row: StoredRow): Candidate | undefined {
  const message = toMessage(entry.row.id, row)
  if (isDamaged(message)) return undefined
  return { rowId: row.rowId, message, bytes: utf8Length(row.contentJson) }
}

/** The sessions that answer, newest first. */
function readSessions(
  state: MemoryState,
  plan: SearchPlan,
  parsed: ParsedQuery,
  { top, from = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY }: SessionRange,
): SessionCandidate[] {
  return searched(state, plan)
    .flatMap((entry) => toSessionCandidate(state, plan, parsed, entry, top) ?? [])
    .filter(({ position }) => position >= from && position < below)
    .sort((a, b) => b.position - a.position)
}

function toSessionCandidate(
  state: MemoryState,
  plan: SearchPlan,
  parsed: ParsedQuery,
  entry: Entry,
  top: number,
): SessionCandidate | undefined {
  const newestFirst = entry.rows.filter(({ rowId }) => rowId < top).sort((a, b) => b.rowId - a.rowId)
  const candidates = newestFirst.flatMap((row) => toCandidate(entry, row) ?? [])
  const counted = candidates.filter(({ message }) => isCounted(plan, message))
  const session = state.session(entry)
  const columns = counted.flatMap(({ message }) => columnsOf(plan, message))
  const name = indexTokens(columnOf([session.name]).tokens)
  if (!answers(parsed, counted.length === 0 && plan.terms.length === 0 ? [] : [...columns, name]))
    return undefined
  const hits = counted.filter((candidate) => matchOf(plan, anyOf(parsed), candidate) !== undefined)
  if (hits.length === 0 && plan.terms.length === 0) return undefined
  return {
    position: (hits[0] ?? newestFirst[0])?.rowId ?? withoutMessages(entry.row.rowId),
    session,
    hitCount: hits.length,
    newest: hits.slice(0, hitsLookedAt),
  }
}

function columnsOf(plan: SearchPlan, message: Message): TokenIndex[] {
  const found = searchColumns(message.content, message.metadata)
  return found === undefined ? [] : plan.columns.map((column) => indexTokens(found[column].tokens))
}

function messageHit(state: MemoryState, plan: SearchPlan, hit: Hit): MessageHit {
  const { message } = hit.candidate
  const entry = state.entries.get(message.sessionId) as Entry
  const { around = 0 } = plan
  const at = entry.rows.findIndex(({ seq }) => seq === message.seq)
  const near = entry.rows
    .slice(Math.max(0, at - around), at + around + 1)
    .filter(({ seq }) => seq !== message.seq)
  return toMessageHit(plan, hit, state.session(entry), readMessages(message.sessionId, near).messages)
}
