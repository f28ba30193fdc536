// No statement of any operation reads a table from end to end: what an operation costs does not depend on how much is
// stored beside what it is about. The statements are those that really reach the driver.

import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKyselyStore } from '../src/index.ts'
import { stockDialect } from './support.ts'

const user = (content: string, id?: string) => ({
  role: 'user' as const,
  content,
  ...(id === undefined ? {} : { id }),
})
const key = { channelType: 'web', channelKey: 'k' }
const source = { agent: 'a', sessionId: 's', digest: '' }

let database: Database.Database
let store: SessionStore
let statements: string[]

beforeAll(async () => {
  database = new Database(':memory:')
  statements = []
  const watched = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') {
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return (sql: string) => {
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  store = await openKyselyStore({ dialect: stockDialect(watched), guarded: true })
  await store.messages.append('s', [user('q1', 'm1'), user('q2', 'm2')], { createSession: key })
  await store.threads.create({ id: 't', name: 'n' })
})
afterAll(() => store.close())

const tables = [
  'sessions',
  'messages',
  'session_tags',
  'thread_sessions',
  'operations',
  'usage_events',
  'session_tombstones',
]

/** What a statement reads from end to end without an index. */
function scansOf(sql: string): string[] {
  // An alias hides the table's name: every `FROM table alias` and `JOIN table alias`.
  const aliases = new Map(tables.map((table) => [table, table]))
  for (const [, table = '', alias = ''] of sql.matchAll(
    /\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)"?\s+(?:AS\s+)?([a-z])\b/gi,
  ))
    if (tables.includes(table)) aliases.set(alias, table)
  return database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...Array.from(sql.matchAll(/\?/g), () => null))
    .flatMap(({ detail }) => {
      const [, alias = ''] = /^SCAN (\w+)$/.exec(detail) ?? []
      return aliases.has(alias) ? [`${aliases.get(alias)}: ${sql}`] : []
    })
}

const calls: readonly (readonly [name: string, call: () => Promise<unknown>])[] = [
  ['append', () => store.messages.append('s', [user('q3', 'm3')], { operationId: 'op' })],
  ['append again', () => store.messages.append('s', [user('q3', 'm3')], { operationId: 'op' })],
  ['read', () => store.messages.read('s', { limit: 1 })],
  ['get', () => store.messages.get('s', 'm1')],
  ['recentTurns', () => store.messages.recentTurns('s', { turns: 1, mode: 'text' })],
  ['update', () => store.messages.update('s', 'm1', { content: 'x' })],
  ['compact', () => store.messages.compact('s', { throughSeq: 1, summary: user('S') })],
  ['remove', () => store.messages.remove('s', ['m3'])],
  ['truncate', () => store.messages.truncate('s', { fromMessageId: 'm2' })],
  ['replace', () => store.messages.replace('s', [user('q', 'r1'), user('q', 'r2')], { operationId: 'op2' })],
  ['fork', () => store.sessions.fork('s', { atMessageId: 'r1', id: 'f' })],
  ['fork whole', () => store.sessions.fork('s')],
  ['rewind', () => store.sessions.rewind('s', { toMessageId: 'r1' })],
  ['clear', () => store.messages.clear('s')],
  ['create', () => store.sessions.create({ tags: ['x'], type: 'sub_agent', parentSessionId: 's' })],
  ['update of a session', () => store.sessions.update('s', { name: 'n', tags: ['y'] })],
  ['addUsage', () => store.sessions.addUsage('s', { input: 1 })],
  ['current', () => store.sessions.current(key, { create: {} })],
  ['current that is made', () => store.sessions.current({ ...key, channelKey: 'l' }, { create: {} })],
  ['resetContext', () => store.sessions.resetContext('s')],
  ['import', () => store.sessions.import({ source }, [user('q')])],
  ['import again', () => store.sessions.import({ source }, [user('q'), user('r')])],
  ['attach', () => store.threads.attach('t', 's')],
  ['a thread', () => store.threads.get('t')],
  ['threads of a session', () => store.threads.list({ sessionId: 's' })],
  ['sessions of a thread', () => store.threads.sessions('t')],
  ['timeline', () => store.threads.timeline('t')],
  ['detach', () => store.threads.detach('t', 's')],
  ['changes', () => store.changes.since(undefined, 1)],
  ['changes now', () => store.changes.since('now')],
  ['list', () => store.sessions.list()],
  ['the trash', () => store.sessions.remove('s')],
  ['undelete', () => store.sessions.undelete('s')],
  ['purge', () => store.sessions.remove('s', { purge: true })],
  ['search', () => store.search.messages({ text: 'q', around: 1 })],
  ['search with nothing to index', () => store.search.messages({ text: 'q OR x -y role:user', limit: 1 })],
  ['search by filters alone', () => store.search.messages({ text: 'after:2020-01-01' })],
  ['search of sessions', () => store.search.sessions({ text: 'q x' })],
  ['search in a session', () => store.search.sessions({ text: 'q', sessionId: 'f' })],
  ['a transaction', () => store.transact(({ messages }) => messages.append('f', [user('x')]))],
]

describe('reads by an index alone', () => {
  test.each(calls)('%s', async (_, call) => {
    statements = []
    await call()
    const own = [...new Set(statements)].filter(
      (sql) => !/^(begin|commit|savepoint|release|rollback)/i.test(sql),
    )
    expect(own.length).toBeGreaterThan(0)
    expect(own.flatMap(scansOf)).toEqual([])
  })
})

test('a page of threads counts the sessions of its own threads alone', async () => {
  statements = []
  await store.threads.list({ limit: 1 })
  const [sql = ''] = statements.filter((one) => one.includes('threads'))
  const steps = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...Array.from(sql.matchAll(/\?/g), () => null))
    .map(({ detail }) => detail)
  // The page is cut before anything is counted.
  expect(steps[0]).toBe('MATERIALIZE page')
  expect(steps.findIndex((step) => step.startsWith('CORRELATED'))).toBeGreaterThan(
    steps.lastIndexOf('SCAN t') - 1,
  )
  expect(steps.filter((step) => step === 'SCAN t').length).toBe(2)
})
