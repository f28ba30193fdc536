// A guarded write whose read is out of date by the time its batch arrives, because another handle was faster: it is decided
// anew, so that the end is as if one had come after the other.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKyselyStore } from '../src/index.ts'
import { hooked, stockDialect } from './support.ts'

let folder: string
let here: SessionStore
let other: SessionStore
/** What the other handle does before the next batch of this one. */
let meanwhile: (() => Promise<unknown>) | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sess-'))
  const open = () => {
    const database = new Database(join(folder, 'sess.db'), { timeout: 0 })
    database.pragma('journal_mode = WAL')
    return stockDialect(database)
  }
  meanwhile = undefined
  const clock = () => Date.UTC(2026, 2, 1, 12)
  here = await openKyselyStore({
    dialect: hooked(open(), async (sql) => {
      const next = meanwhile
      if (sql !== 'begin immediate' || next === undefined) return
      meanwhile = undefined
      await next()
    }),
    guarded: true,
    clock,
  })
  other = await openKyselyStore({ dialect: open(), clock })
})
afterEach(async () => {
  await here.close()
  await other.close()
  rmSync(folder, { recursive: true, force: true })
})

const user = (content: string, id?: string) => ({
  role: 'user' as const,
  content,
  ...(id === undefined ? {} : { id }),
})
const key = { channelType: 'web', channelKey: 'k' }
const source = { agent: 'goose', sessionId: 'g', digest: '' }

async function prepare(): Promise<void> {
  await other.messages.append('s', [user('q1', 'm1'), user('q2', 'm2')], { createSession: true })
  await other.sessions.create({ id: 'gone' })
  await other.sessions.remove('gone')
  await other.threads.create({ id: 't', name: 't' })
  // The latest change is of a session that has no part in the race.
  await other.sessions.create({ id: 'last' })
}

type Call = (store: SessionStore) => Promise<unknown>
const purge =
  (id: string): Call =>
  ({ sessions }) =>
    sessions.remove(id, { purge: true })
const append: Call = ({ messages }) => messages.append('s', [user('new', 'm3')])

test.each<[string, Call, Call, object | boolean | number | string]>([
  ['append after append', append, ({ messages }) => messages.append('s', [user('x')]), { firstSeq: 4 }],
  ['append after purge', purge('s'), ({ messages }) => messages.append('s', [user('x')]), 'not-found'],
  [
    'fork after append',
    append,
    ({ sessions }) => sessions.fork('s'),
    { messageCount: 3, nextSeq: 4, preview: 'new' },
  ],
  ['fork after purge', purge('s'), ({ sessions }) => sessions.fork('s'), 'not-found'],
  [
    'rewind after append',
    append,
    ({ sessions }) => sessions.rewind('s', { toSeq: 1 }),
    { branch: { messageCount: 2 } },
  ],
  [
    'compact after compact',
    ({ messages }) => messages.compact('s', { throughSeq: 2, summary: user('S') }),
    ({ messages }) => messages.compact('s', { throughSeq: 2, summary: user('T') }),
    'invalid',
  ],
  ['truncate after append', append, ({ messages }) => messages.truncate('s', { fromSeq: 2 }), 2],
  ['clear after append', append, ({ messages }) => messages.clear('s'), 3],
  [
    'update after remove',
    ({ messages }) => messages.remove('s', ['m1']),
    ({ messages }) => messages.update('s', 'm1', { content: 'x' }),
    'not-found',
  ],
  [
    'remove after remove',
    ({ messages }) => messages.remove('s', ['m1']),
    ({ messages }) => messages.remove('s', ['m1', 'm2']),
    1,
  ],
  [
    'replace after append',
    append,
    ({ messages }) => messages.replace('s', [user('x')], { expectedVersion: 1 }),
    'conflict',
  ],
  [
    'an operation after one of its id',
    ({ messages }) => messages.append('s', [user('new')], { operationId: 'op' }),
    ({ messages }) => messages.append('s', [user('new')], { operationId: 'op' }),
    { version: 2, firstSeq: 3, lastSeq: 3 },
  ],
  [
    'an operation that makes its session after one of its id',
    ({ messages }) => messages.append('n', [user('new')], { operationId: 'op', createSession: true }),
    ({ messages }) => messages.append('n', [user('new')], { operationId: 'op', createSession: true }),
    { version: 1, firstSeq: 1, lastSeq: 1 },
  ],
  [
    'an operation of stored messages after another of its id',
    ({ messages }) => messages.append('s', [user('q1', 'm1')], { operationId: 'op' }),
    ({ messages }) => messages.append('s', [user('q2', 'm2')], { operationId: 'op' }),
    'conflict',
  ],
  [
    'a replacement after one of its id',
    ({ messages }) => messages.replace('s', [user('x')], { operationId: 'op' }),
    ({ messages }) => messages.replace('s', [user('x')], { operationId: 'op' }),
    { version: 2, firstSeq: 3, lastSeq: 3 },
  ],
  [
    'usage after usage',
    ({ sessions }) => sessions.addUsage('s', { input: 2 }),
    ({ sessions }) => sessions.addUsage('s', { input: 1 }),
    { tokenCounts: { accumulated: { input: 3 } } },
  ],
  [
    'a name after a name',
    ({ sessions }) => sessions.update('s', { name: 'mine' }),
    ({ sessions }) => sessions.update('s', { name: 'auto', ifNameSource: ['default'] }),
    'conflict',
  ],
  [
    'create after create',
    ({ sessions }) => sessions.create({ id: 'n' }),
    ({ sessions }) => sessions.create({ id: 'n' }),
    'already-exists',
  ],
  [
    'a number after a number',
    ({ sessions }) => sessions.create(),
    ({ sessions }) => sessions.create(),
    { id: '20260301_2' },
  ],
  [
    'current after current',
    ({ sessions }) => sessions.current(key, { create: { id: 'c' } }),
    ({ sessions }) => sessions.current(key, { create: {} }),
    { id: 'c' },
  ],
  [
    'the trash after the trash',
    ({ sessions }) => sessions.remove('s'),
    ({ sessions }) => sessions.remove('s'),
    false,
  ],
  ['purge after purge', purge('s'), purge('s'), false],
  ['undelete after purge', purge('gone'), ({ sessions }) => sessions.undelete('gone'), 'not-found'],
  [
    'purge after a child’s birth',
    ({ sessions }) => sessions.create({ id: 'child', type: 'sub_agent', parentSessionId: 's' }),
    purge('s'),
    true,
  ],
  ['the trash after purge', purge('s'), ({ sessions }) => sessions.remove('s'), false],
  [
    'a thread after a thread',
    ({ threads }) => threads.create({ id: 'n', name: 'n' }),
    ({ threads }) => threads.create({ id: 'n', name: 'n' }),
    'already-exists',
  ],
  [
    'a thread’s name after its removal',
    ({ threads }) => threads.remove('t'),
    ({ threads }) => threads.update('t', { name: 'n' }),
    'not-found',
  ],
  [
    'attach after removal',
    ({ threads }) => threads.remove('t'),
    ({ threads }) => threads.attach('t', 's'),
    'not-found',
  ],
  ['attach after purge', purge('s'), ({ threads }) => threads.attach('t', 's'), 'not-found'],
  [
    'attach after attach',
    ({ threads }) => threads.attach('t', 's'),
    ({ threads }) => threads.attach('t', 's').then(() => true),
    true,
  ],
  [
    'import after import',
    ({ sessions }) => sessions.import({ source }, [user('q')]),
    ({ sessions }) => sessions.import({ source }, [user('q')]),
    { outcome: 'unchanged', added: 0 },
  ],
  [
    'import after import under another id',
    ({ sessions }) => sessions.import({ id: 'i', source }, [user('q')]),
    ({ sessions }) => sessions.import({ id: 'j', source }, [user('q')]),
    { outcome: 'unchanged', session: { id: 'i' } },
  ],
  [
    'import after a shorter import',
    ({ sessions }) => sessions.import({ source }, [user('q')]),
    ({ sessions }) => sessions.import({ source }, [user('q'), user('r')]),
    { outcome: 'updated', added: 1 },
  ],
])('%s', async (_, first, second, expected) => {
  await prepare()
  let raced = false
  meanwhile = async () => {
    await first(other)
    raced = true
  }
  const answer = await second(here).catch((error: { code: string }) => error.code)
  if (typeof expected === 'object') expect(answer).toMatchObject(expected)
  else expect(answer).toBe(expected)
  expect(raced).toBe(true)
  // Each session is told of once, and counted as what it holds.
  const { changes } = await other.changes.since()
  expect(new Set(changes.map(({ sessionId }) => sessionId)).size).toBe(changes.length)
  for (const { id, messageCount } of (await here.sessions.list({ types: 'all' })).items)
    expect((await here.messages.read(id)).items.length).toBe(messageCount)
})

test('what changes elsewhere in the store is no race for a removal', async () => {
  await prepare()
  let batches = 0
  const elsewhere = async () => {
    batches++
    meanwhile = elsewhere
    await other.messages.append('last', [user('x')])
  }
  meanwhile = elsewhere
  expect(await here.sessions.remove('s')).toBe(true)
  expect((await here.sessions.undelete('s')).id).toBe('s')
  expect(await here.sessions.remove('s', { purge: true })).toBe(true)
  expect(batches).toBe(3)
  meanwhile = undefined
})
