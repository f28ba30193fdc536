// An index batch whose rows are out of date by the time it arrives, because another handle was faster: nothing stale is
// written, and no row is lost.

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
let watch: Database.Database
/** What the other handle does before the next batch of this one. */
let meanwhile: (() => Promise<unknown>) | undefined

const open = () => {
  const database = new Database(join(folder, 'sess.db'), { timeout: 0 })
  database.pragma('journal_mode = WAL')
  return database
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sess-'))
  meanwhile = undefined
  here = await openKyselyStore({
    dialect: hooked(stockDialect(open()), async (sql) => {
      const next = meanwhile
      if (sql !== 'begin immediate' || next === undefined) return
      meanwhile = undefined
      await next()
    }),
    guarded: true,
  })
  other = await openKyselyStore({ dialect: stockDialect(open()) })
  watch = open()
})
afterEach(async () => {
  watch.close()
  await here.close()
  await other.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Every token of the index at its place. */
function contents(): unknown[] {
  return ['messages_fts', 'sessions_fts'].map((table) => {
    watch.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, '${table}', instance)`)
    const rows = watch.prepare('SELECT * FROM temp.vocabulary ORDER BY doc, col, offset').all()
    watch.exec('DROP TABLE temp.vocabulary')
    return rows
  })
}

const user = (content: string, id: string) => ({ role: 'user' as const, content, id })
const index = (store: SessionStore) => store.search.messages({ text: 'anything' })

const races: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
  ['changes a message', () => other.messages.update('s', 'm1', { content: 'changed' })],
  ['hides a message', () => other.messages.update('s', 'm3', { metadata: { userVisible: false } })],
  ['removes messages', () => other.messages.remove('s', ['m1', 'm3'])],
  ['purges the session', () => other.sessions.remove('s', { purge: true })],
  ['moves messages to a branch', () => other.sessions.rewind('s', { toSeq: 1 })],
  ['changes the type', () => other.sessions.update('s', { type: 'hidden' })],
  ['changes the name', () => other.sessions.update('s', { name: 'renamed' })],
  ['appends', () => other.messages.append('s', [user('more', 'm9')])],
  ['indexes everything', () => index(other)],
]

for (const [when, isMade] of [
  ['at first', false],
  ['later', true],
] as const) {
  test.each(races)(`another handle %s meanwhile, ${when}`, async (_, work) => {
    await other.messages.append('s', [user('one', 'm1'), user('two', 'm2')], {
      createSession: { name: 'first' },
    })
    if (isMade) await index(here)
    else {
      // The index is emptied and the names are read; the race is about what comes then.
      await index(other)
      watch.exec("UPDATE schema_meta SET value = 0 WHERE key = 'name_watermark'")
    }
    await other.messages.append('s', [user('three', 'm3')])
    if (isMade) await other.messages.update('s', 'm1', { content: 'one again' })
    meanwhile = work
    await index(here)
    expect(meanwhile).toBeUndefined()
    await index(here)
    const found = contents()
    watch.exec("UPDATE schema_meta SET value = 99 WHERE key = 'index_version'")
    await index(other)
    expect(found).toEqual(contents())
  })
}
