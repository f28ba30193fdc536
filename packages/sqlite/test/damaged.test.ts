// What becomes of a damaged file. It is kept, whatever the host asked for.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore, type SqliteOptions } from '../src/index.ts'
import { temporaryFolder } from './support.ts'

const clock = () => Date.UTC(2026, 2, 1, 12, 30, 15)

/** A logger that keeps what it is told at level error. */
function createLog(): Logger & { readonly told: [object, string][] } {
  const told: [object, string][] = []
  const quiet = () => {}
  return { told, debug: quiet, info: quiet, warn: quiet, error: (...entry) => told.push(entry) }
}

/** A store whose file is overwritten behind its first page. */
async function makeDamaged(): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  for (let index = 0; index < 200; index++) {
    await store.messages.append('s', [{ role: 'user', content: `question ${index}` }], {
      createSession: true,
    })
  }
  await store.close()
  const bytes = readFileSync(path)
  bytes.fill(0x5a, 4096)
  writeFileSync(path, bytes)
  return { path, bytes }
}

describe('onDamaged', () => {
  test('"throw", the default, rejects and leaves the file alone', async () => {
    const { path, bytes } = await makeDamaged()
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'corrupt' })
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  test('"set-aside" renames it, tells the logger, and begins a new file', async () => {
    const { path, bytes } = await makeDamaged()
    const logger = createLog()
    const store = await openSqliteStore({ path, onDamaged: 'set-aside', logger, clock })
    expect(await store.sessions.list()).toEqual({ items: [] })
    expect((await store.sessions.create()).id).toBe('20260301_1')
    expect(store.capabilities.persistent).toBe(true)
    await store.close()
    const setAside = `${path}.damaged-20260301T123015Z`
    expect(readFileSync(setAside).equals(bytes)).toBe(true)
    expect(logger.told).toEqual([
      [
        { path, setAside, reason: expect.stringMatching(/is damaged/) },
        'the file is damaged: it was set aside and a new one begun',
      ],
    ])
  })

  test('"set-aside" twice in one second keeps both', async () => {
    const first = await makeDamaged()
    const options: SqliteOptions = { onDamaged: 'set-aside', clock }
    await (await openSqliteStore({ ...options, path: first.path })).close()
    writeFileSync(first.path, first.bytes)
    await (await openSqliteStore({ ...options, path: first.path })).close()
    const kept = readdirSync(join(first.path, '..'))
      .filter((name) => name.includes('damaged'))
      .toSorted()
    expect(kept).toEqual(['sess.db.damaged-20260301T123015Z', 'sess.db.damaged-20260301T123015Z-2'])
  })

  test('"memory" leaves the file, works, and keeps nothing', async () => {
    const { path, bytes } = await makeDamaged()
    const logger = createLog()
    const store = await openSqliteStore({ path, onDamaged: 'memory', logger })
    await store.sessions.create({ id: 'a' })
    expect((await store.sessions.get('a'))?.id).toBe('a')
    expect(store.capabilities.persistent).toBe(false)
    await store.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(logger.told.map(([, message]) => message)).toEqual([
      'the file is damaged: nothing of this run is kept',
    ])
  })

  test.each(['set-aside', 'memory'] as const)(
    '"%s" moves or hides no file that is not damaged',
    async (onDamaged) => {
      const folder = temporaryFolder()
      const text = join(folder, 'notes.txt')
      writeFileSync(text, 'not a database. '.repeat(100))
      await expect(openSqliteStore({ path: text, onDamaged })).rejects.toMatchObject({ code: 'invalid' })
      const other = join(folder, 'other.db')
      const database = new Database(other)
      database.exec('CREATE TABLE invoices (id INTEGER)')
      database.close()
      await expect(openSqliteStore({ path: other, onDamaged })).rejects.toMatchObject({ code: 'invalid' })
      expect([existsSync(text), existsSync(other)]).toEqual([true, true])
      expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([])
    },
  )

  test('"set-aside" does not move a file that is opened for reading alone', async () => {
    const { path } = await makeDamaged()
    const reading = openSqliteStore({ path, onDamaged: 'set-aside', readOnly: true })
    await expect(reading).rejects.toMatchObject({ code: 'corrupt' })
    expect(existsSync(path)).toBe(true)
  })
})

test('a prefix lets the store live beside other tables in one file', async () => {
  const path = join(temporaryFolder(), 'app.db')
  const database = new Database(path)
  database.exec('CREATE TABLE sessions (mine INTEGER)')
  database.close()
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'invalid' })
  const store = await openSqliteStore({ path, tablePrefix: 'chat_' })
  await store.messages.append('s', [{ role: 'user', content: 'hi' }], { createSession: true })
  await store.close()
  const again = await openSqliteStore({ path, tablePrefix: 'chat_' })
  expect((await again.sessions.get('s'))?.messageCount).toBe(1)
  await again.close()
})
