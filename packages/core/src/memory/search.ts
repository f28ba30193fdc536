// Search of the memory store: a plain scan over everything. What it finds is what every store must find.

import type { Operations } from '../adapter/operations.ts'
import { isDamaged, toMessage } from '../adapter/records.ts'
import type { MessageHit, MessageSearch } from '../port/search.ts'
import { type Candidate, isCounted, matchOf } from '../search/candidates.ts'
import { columnOf, searchColumns } from '../search/extract.ts'
import { indexTokens, type TokenIndex } from '../search/match.ts'
import { type Hit, searchMessages } from '../search/messages.ts'
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
  const page = (
    plan: SearchPlan,
    { nextCursor, relaxed }: { readonly nextCursor?: string; readonly relaxed?: true },
  ) => ({
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(relaxed === undefined ? {} : { relaxed }),
    ...(plan.parsed.ignored.length === 0 ? {} : { ignored: plan.parsed.ignored }),
  })
  return {
    messages: (query) =>
      operations.run('search.messages', async () => {
        const plan = planSearch('search.messages', query, timeZone)
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
        return { items: found.hits.map((hit) => toMessageHit(state, plan, hit)), ...page(plan, found) }
      }),
    sessions: (query) =>
      operations.run('search.sessions', async () => {
        const plan = planSearch('search.sessions', query, timeZone)
        const { found, ...rest } = await searchSessions(plan, {
          top: async () => state.messageRowId + 1,
          read: async (parsed, range, count) => readSessions(state, plan, parsed, range).slice(0, count),
        })
        const items = found.map(({ hits, ...session }) => ({
          ...session,
          hits: hits.map((hit) => toMessageHit(state, plan, hit)),
        }))
        return { items, ...page(plan, rest) }
      }),
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

function toMessageHit(state: MemoryState, plan: SearchPlan, { candidate, score, snippet }: Hit): MessageHit {
  const { message } = candidate
  const entry = state.entries.get(message.sessionId) as Entry
  const { around } = plan
  const at = entry.rows.findIndex(({ seq }) => seq === message.seq)
  const near = around === undefined ? [] : entry.rows.slice(Math.max(0, at - around), at + around + 1)
  return {
    sessionId: message.sessionId,
    messageId: message.id,
    seq: message.seq,
    role: message.role,
    createdAt: message.createdAt,
    score,
    snippet,
    session: state.session(entry),
    ...(plan.include === 'message' ? { message } : {}),
    ...(around === undefined
      ? {}
      : {
          around: near
            .filter(({ seq }) => seq !== message.seq)
            .map((row) => toMessage(message.sessionId, row))
            .filter((one): one is Message => !isDamaged(one)),
        }),
  }
}
