// The memory store's sessions.

import { checkFork, checkRewind } from '../adapter/copies.ts'
import { isServing, planCurrent } from '../adapter/current.ts'
import { planImport } from '../adapter/import.ts'
import type { Operations } from '../adapter/operations.ts'
import { patchFields } from '../adapter/patch.ts'
import { planList } from '../adapter/query.ts'
import { addToCounts, checkUsage } from '../adapter/usage.ts'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { isSessionId } from '../input/ids.ts'
import { removeOptionsSchema } from '../input/schemas.ts'
import { checkSessionId, patchConflict, preparePatch, prepareSession } from '../input/sessions.ts'
import type { SessionRecords } from '../port/sessions.ts'
import type { Session } from '../types/session.ts'
import { forkSession, rewindSession } from './copies.ts'
import { importSession } from './imports.ts'
import { listSessions } from './lists.ts'
import { bringBack, moveToTrash, purge } from './removal.ts'
import type { Entry, MemoryState } from './state.ts'

export function createMemorySessions(
  state: MemoryState,
  operations: Operations,
  maxBytes: number,
): SessionRecords {
  const { context } = state
  /** A write to one session, whose id is checked first. */
  const write = <P, T>(
    name: keyof SessionRecords,
    id: string,
    prepare: () => P,
    work: (prepared: P) => T,
  ): Promise<T> =>
    operations.call(
      `sessions.${name}`,
      () => {
        checkSessionId(id)
        return prepare()
      },
      work,
    )
  return {
    create: (input = {}) =>
      operations.call(
        'sessions.create',
        () => prepareSession(input, context.locale),
        (session) => {
          const now = context.now()
          return state.session(state.add(state.newSessionId(session.id, now), session, now))
        },
      ),
    get: (id) =>
      operations.run('sessions.get', () => {
        const entry = isSessionId(id) ? state.entries.get(id) : undefined
        return entry && state.session(entry)
      }),
    list: (query = {}) =>
      operations.call(
        'sessions.list',
        () => planList(query),
        (plan) => listSessions(state, plan),
      ),
    update: (id, patch) =>
      write(
        'update',
        id,
        () => preparePatch(patch),
        (prepared) => {
          const entry = state.live(id)
          const conflict = patchConflict(prepared, state.session(entry))
          if (conflict) throw conflict
          const fields = patchFields(prepared, entry.row, context.now())
          if (prepared.tags === undefined && Object.keys(fields).length === 0) return state.session(entry)
          entry.tags = prepared.tags ?? entry.tags
          return changed(state, entry, fields)
        },
      ),
    addUsage: (id, usage) =>
      write(
        'addUsage',
        id,
        () => checkUsage(usage),
        ({ event, counts: last }) => {
          const entry = state.live(id)
          const counts = addToCounts(state.session(entry).tokenCounts, last)
          entry.usage.push({ ...event, at: event.at ?? context.now() })
          return changed(state, entry, { tokenCounts: JSON.stringify(counts) })
        },
      ),
    current: (key, options = {}) =>
      operations.call(
        'sessions.current',
        () => planCurrent(key, options, context.locale),
        (plan) => {
          const { channelType, channelKey, ownerId, create } = plan
          const [latest] = listSessions(state, planList({ channelType, channelKey, ownerId, limit: 1 })).items
          const now = context.now()
          if (latest && isServing(plan, latest.lastActiveAt, now)) return latest
          if (create === undefined) return undefined
          return state.session(state.add(state.newSessionId(create.id, now), create, now))
        },
      ),
    resetContext: (id) =>
      write('resetContext', id, nothing, () => {
        const entry = state.live(id)
        const { nextSeq, contextStartSeq, contextSummarySeq, version } = entry.row
        if (contextStartSeq === nextSeq && contextSummarySeq === null) return state.session(entry)
        const fields = { contextStartSeq: nextSeq, contextSummarySeq: null, version: version + 1 }
        return changed(state, entry, fields)
      }),
    fork: (id, options = {}) =>
      write(
        'fork',
        id,
        () => checkFork(options),
        (fork) => forkSession(state, id, fork),
      ),
    import: (session, messages, options = {}) =>
      operations.callReading(
        'sessions.import',
        (isGivenUp) => planImport(session, messages, options, context, maxBytes, isGivenUp),
        (plan) => importSession(state, plan),
      ),
    rewind: (id, options) =>
      write(
        'rewind',
        id,
        () => checkRewind(options),
        (rewind) => rewindSession(state, id, rewind),
      ),
    remove: (id, options = {}) =>
      write(
        'remove',
        id,
        () => snapshot(removeOptionsSchema, options, 'options'),
        (remove) => {
          const entry = state.entries.get(id)
          if (entry === undefined) return false
          if (remove.purge !== true) return moveToTrash(state, entry)
          purge(state, entry)
          return true
        },
      ),
    undelete: (id) =>
      write('undelete', id, nothing, () => {
        const entry = state.entries.get(id)
        if (entry === undefined) throw new StoreError('not-found', `there is no session "${id}"`)
        bringBack(state, entry)
        return state.session(entry)
      }),
  }
}

/** For methods that take an id alone. */
const nothing = () => {}

function changed(state: MemoryState, entry: Entry, fields: Parameters<MemoryState['change']>[1]): Session {
  state.change(entry, fields)
  return state.session(entry)
}
