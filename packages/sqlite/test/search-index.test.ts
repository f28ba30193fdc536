// When the index is made, made anew, and left alone.

import { join } from 'node:path'
import type { Logger } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { indexProblems } from './index-contents.ts'
import { closeLater, user } from './stores.ts'
import { temporaryFolder } from './support.ts'

async function openBeside(options: { readonly logger?: Logger } = {}) {
  const database = new Database(':memory:')
  const store = closeLater(await openSqliteStore({ database, ...options }))
  const meta = (key: string) =>
    database.prepare<[string], number>('SELECT value FROM schema_meta WHERE key = ?').pluck().get(key)
  const set = (key: string, value: number) =>
    database.prepare('UPDATE schema_meta SET value = ? WHERE key = ?').run(value, key)
  const found = async (text: string) =>
    (await store.search.messages({ text, types: 'all' })).items.map(
      ({ sessionId, seq }) => `${sessionId}:${seq}`,
    )
  return { database, store, meta, set, found }
}

describe('the index', () => {
  test('is left alone by an append, and brought up to date by a search', async () => {
    const { database, store, meta } = await openBeside()
    await store.messages.append('s', [user('apple'), user('pear')], { createSession: { name: 'Plum' } })
    expect([meta('watermark'), meta('index_version')]).toEqual([0, 0])
    await store.search.messages({ text: 'apple' })
    expect([meta('watermark'), meta('index_version')]).toEqual([2, 1])
    expect(indexProblems(database)).toEqual([])
    await store.messages.append('s', [user('fig')])
    expect(indexProblems(database)).toEqual([
      '- 3 text 0 fig',
      '- 3 scope 0 s1',
      '- 3 scope 1 ruser',
      '- 3 scope 2 kplain',
      '2 entries for 3 messages',
    ])
    await store.search.sessions({ text: 'fig' })
    expect(indexProblems(database)).toEqual([])
  })

  test('is made anew when it was made by other rules, names too', async () => {
    const { database, store, set, meta, found } = await openBeside()
    await store.messages.append('s', [user('apple')], { createSession: { name: 'Plum' } })
    await found('apple')
    database.exec(
      "INSERT INTO messages_fts (messages_fts) VALUES ('delete-all'); INSERT INTO sessions_fts (sessions_fts) VALUES ('delete-all')",
    )
    expect(await found('apple')).toEqual([])
    set('index_version', 99)
    expect(await found('apple')).toEqual(['s:1'])
    expect((await store.search.sessions({ text: 'plum' })).items.length).toBe(1)
    expect(meta('index_version')).toBe(1)
    expect(indexProblems(database)).toEqual([])
  })

  test('is made anew where the tables were, so that row ids begin again below the watermark', async () => {
    const { database, store, set, found } = await openBeside()
    await store.messages.append('s', [user('apple')], { createSession: true })
    await found('apple')
    set('watermark', 1000)
    await store.messages.append('s', [user('apple')])
    expect(await found('apple')).toEqual(['s:2', 's:1'])
    expect(indexProblems(database)).toEqual([])
  })

  test('knows of a change of type, and of names however they are given', async () => {
    const { database, store, found } = await openBeside()
    await store.messages.append('s', [user('apple'), user('pear')], { createSession: { name: 'one' } })
    await found('apple')
    await store.sessions.update('s', { type: 'hidden', name: 'two' })
    expect((await store.search.messages({ text: 'apple' })).items).toEqual([])
    expect(await found('apple')).toEqual(['s:1'])
    await store.sessions.current({ channelType: 'web', channelKey: 'k' }, { create: { name: 'three' } })
    await store.sessions.fork('s', { id: 'f', name: 'four' })
    await store.sessions.rewind('s', { toSeq: 1 })
    const source = { agent: 'a', sessionId: '1', digest: '' }
    await store.sessions.import({ source, name: 'five', nameSource: 'auto' }, [user('x')])
    await store.sessions.import({ source, name: 'six', nameSource: 'auto' }, [user('x'), user('y')])
    await store.transact(({ sessions }) => sessions.create({ name: 'seven' }))
    await found('apple')
    expect(indexProblems(database)).toEqual([])
  })

  test.each(['import', 'fork', 'replace'] as const)('is brought up to date by a large %s', async (name) => {
    const { database, store, meta } = await openBeside()
    const many = Array.from({ length: 1001 }, () => user('apple'))
    if (name === 'import') await store.sessions.import({ id: 's' }, many)
    else await store.messages.append('s', many, { createSession: true })
    if (name !== 'import') expect(meta('watermark')).toBe(0)
    if (name === 'fork') await store.sessions.fork('s')
    if (name === 'replace') await store.messages.replace('s', many)
    expect(meta('watermark')).toBe(name === 'import' ? 1001 : 2002)
    expect(indexProblems(database)).toEqual([])
  })

  test('is made anew when it is damaged, and nothing else is touched', async () => {
    const { database, store, found } = await openBeside()
    await store.messages.append('s', [user('apple'), user('pear')], { createSession: { name: 'Plum' } })
    await found('apple')
    const before = await store.messages.read('s')
    database.unsafeMode(true)
    database.exec("UPDATE messages_fts_data SET block = x'0102030405060708' WHERE id > 10")
    database.unsafeMode(false)
    expect(await found('apple')).toEqual(['s:1'])
    expect(indexProblems(database)).toEqual([])
    expect(await store.messages.read('s')).toEqual(before)
    await store.messages.append('s', [user('apple')])
    expect(await found('apple')).toEqual(['s:3', 's:1'])
  })

  test('of a row that cannot be read is empty, and hides no other', async () => {
    const { database, store, found } = await openBeside()
    await store.messages.append('s', [user('apple'), user('apple'), user('apple')], { createSession: true })
    database.exec(
      "UPDATE messages SET content_json = '{broken' WHERE seq = 2; UPDATE messages SET role = x'00' WHERE seq = 3",
    )
    expect(await found('apple')).toEqual(['s:1'])
    expect((await store.search.sessions({ text: 'apple' })).items.map(({ hitCount }) => hitCount)).toEqual([
      1,
    ])
  })
})

test('where the index cannot be written, the newest 20,000 messages are looked through and the page says so', async () => {
  const { database, store } = await openBeside()
  const many = (text: string) => Array.from({ length: 10_000 }, () => user(text))
  await store.messages.append('s', [user('apple')], { createSession: true })
  for (const text of ['pear', 'plum']) await store.messages.append('s', many(text))
  const reader = closeLater(await openSqliteStore({ database, readOnly: true }))
  const page = await reader.search.messages({ text: 'pear', limit: 2 })
  expect([page.items.map(({ seq }) => seq), page.partial]).toEqual([[10_001, 10_000], true])
  expect(await reader.search.messages({ text: 'apple' })).toEqual({ items: [], partial: true })
  await store.search.messages({ text: 'apple' })
  const whole = await reader.search.messages({ text: 'apple' })
  expect([whole.items.length, 'partial' in whole]).toEqual([1, false])
}, 60_000)

test('who waits for a lock of another process looks through what is not indexed, and says why', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const told: string[] = []
  const tell = (_: object, message: string) => {
    told.push(message)
  }
  const store = closeLater(
    await openSqliteStore({ path, logger: { debug: tell, info() {}, warn: tell, error: tell } }),
  )
  await store.messages.append('s', [user('apple')], { createSession: true })
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  expect((await store.search.messages({ text: 'apple' })).items.length).toBe(1)
  expect(told).toEqual(['the index of search could not be brought up to date'])
  other.exec('ROLLBACK')
  other.close()
})
