// An option that is none is refused before a file is made, opened or moved.

import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryStore } from '@sess/core/memory'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { temporaryFolder } from './support.ts'

/** The files this process has open in a folder, where the system tells. */
function openIn(folder: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`)
      return target.startsWith(folder) ? [target] : []
    } catch {
      return []
    }
  })
}

const bad: readonly (readonly [object, string])[] = [
  [{ busyTimeout: Number.POSITIVE_INFINITY }, 'options.busyTimeout: '],
  [{ busyTimeout: Number.NaN }, 'options.busyTimeout: '],
  [{ busyTimeout: 3e9 }, 'options.busyTimeout: '],
  [{ busyTimeout: -1 }, 'options.busyTimeout: '],
  [{ busyTimeout: 'x' }, 'options.busyTimeout: '],
  [{ maxMessageBytes: Number.NaN }, 'options.maxMessageBytes: '],
  [{ migrate: 'newest' }, 'options.migrate: must be one of "latest", "check", "none", found "newest"'],
  [{ readOnly: 'yes' }, 'options.readOnly: must be a boolean, found "yes"'],
  [{ synchronous: 'off' }, 'options.synchronous: must be one of "normal", "full", found "off"'],
  [{ synchronous: 'FULL' }, 'options.synchronous: must be one of "normal", "full", found "FULL"'],
  [
    { onDamaged: 'setaside' },
    'options.onDamaged: must be one of "throw", "set-aside", "memory", found "setaside"',
  ],
  [{ onDamaged: null }, 'options.onDamaged: must be one of "throw", "set-aside", "memory", found null'],
  [{ tablePrefix: 5 }, 'options.tablePrefix: must be a string, found a number'],
  [{ tablePrefix: null }, 'options.tablePrefix: must be a string, found null'],
  [{ tablePrefix: '1a' }, 'tablePrefix: must be '],
  [{ idPrefix: '-' }, 'options.idPrefix: '],
  [{ locale: 'fr' }, 'options.locale: '],
  [{ timeZone: 'Mars' }, 'timeZone "Mars" is not known here'],
  [{ ids: {} }, 'options.ids: '],
  [{ clock: 5 }, 'options.clock: '],
  [{ logger: {} }, 'options.logger: '],
]

test.each(bad)('%o makes no file', async (options, message) => {
  const folder = temporaryFolder()
  const path = join(folder, 'sess.db')
  await expect(openSqliteStore({ ...options, path } as never)).rejects.toMatchObject({
    code: 'invalid',
    operation: 'openSqliteStore',
    message: expect.stringContaining(message),
  })
  expect([readdirSync(folder), openIn(folder)]).toEqual([[], []])
})

test.each(bad)('%o does not touch a file that is there, though it is damaged', async (options, message) => {
  const folder = temporaryFolder()
  const path = join(folder, 'sess.db')
  const store = await openSqliteStore({ path })
  await store.sessions.create({ id: 'a' })
  await store.close()
  const bytes = readFileSync(path).fill(0x5a, 4096)
  writeFileSync(path, bytes)
  await expect(openSqliteStore({ onDamaged: 'set-aside', ...options, path } as never)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(message),
  })
  expect([readdirSync(folder), openIn(folder)]).toEqual([['sess.db'], []])
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test.each([
  [undefined, 'options: invalid input: expected object, received undefined'],
  [null, 'options: invalid input: expected object, received null'],
  [5, 'options: invalid input: expected object, received number'],
  ['a.db', 'options: invalid input: expected object, received string'],
  [{}, 'path: must be the path of a file, or ":memory:"'],
  [{ path: 5 }, 'path: must be the path of a file, or ":memory:"'],
  [{ path: ' ' }, 'path: must be the path of a file, or ":memory:"'],
  [{ database: null }, 'database: must be a handle of better-sqlite3'],
  [{ database: {} }, 'database: must be a handle of better-sqlite3'],
  [{ path: 'a.db', database: {} }, 'path: must not be given beside a database'],
])('options that are %o are invalid', async (options, message) => {
  await expect(openSqliteStore(options as never)).rejects.toMatchObject({
    name: 'StoreError',
    code: 'invalid',
    operation: 'openSqliteStore',
    message,
  })
})

test('a handle of the caller’s that is closed already is closed', async () => {
  const database = new Database(':memory:')
  database.close()
  await expect(openSqliteStore({ database })).rejects.toMatchObject({ code: 'closed' })
})

test.each([[null], [5], ['x']])('the memory store refuses options that are %o', (options) => {
  expect(() => createMemoryStore(options as never)).toThrow(expect.objectContaining({ code: 'invalid' }))
})

test.each([
  [{ busyTimeout: 3e9 }, 'options.busyTimeout: too big: expected number to be <=2147483647'],
  [{ maxMessageBytes: Number.NaN }, 'options.maxMessageBytes: invalid input: expected number, received NaN'],
])('the memory store holds its options to the same: %o', (options, message) => {
  expect(() => createMemoryStore(options)).toThrow(expect.objectContaining({ code: 'invalid', message }))
})

test('the longest busyTimeout waits', async () => {
  const store = await openSqliteStore({ path: ':memory:', busyTimeout: 2_147_483_647 })
  let end = () => {}
  const transaction = store.transact(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const reading = store.sessions.get('a')
  await new Promise<void>((resolve) => setImmediate(resolve))
  end()
  await transaction
  expect(await reading).toBeUndefined()
  await store.close()
})
