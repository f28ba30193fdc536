// Several processes find one damaged file at once: one of them sets it aside, with its log, and nobody sets aside what
// came in its place.

import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { setFileAside } from '../src/files.ts'
import { openSqliteStore } from '../src/index.ts'
import { start, startLockOn } from './processes.ts'
import { temporaryFolder } from './support.ts'

const clock = () => Date.UTC(2026, 2, 1, 12, 30, 15)

/** A damaged file of ours. */
async function damagedBytes(): Promise<Buffer> {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  for (let index = 0; index < 50; index++)
    await store.messages.append('s', [{ role: 'user', content: `question ${index}` }], {
      createSession: true,
    })
  await store.close()
  return readFileSync(path).fill(0x5a, 4096)
}

test('every session a process was told of is in the new file, round after round', async () => {
  const folder = temporaryFolder()
  const file = await damagedBytes()
  const names = ['a', 'b', 'c', 'd']
  const children = names.map((name) => {
    const child = start('set-aside', name)
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    return { child, lines }
  })
  try {
    for (let round = 0; round < 15; round++) {
      const place = join(folder, `${round}`)
      const path = join(place, 'sess.db')
      mkdirSync(place)
      writeFileSync(path, file)
      for (const { child } of children) child.stdin?.write(`${path}\n`)
      const told = await Promise.all(children.map(({ lines }) => lines.next()))
      expect([round, told.map(({ value }) => value)]).toEqual([round, names])
      const store = await openSqliteStore({ path })
      const { items } = await store.sessions.list()
      expect([round, items.map(({ id }) => id).toSorted()]).toEqual([round, names])
      await store.close()
      const database = new Database(path)
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
      database.close()
      const others = readdirSync(place).filter((name) => name !== 'sess.db')
      const aside = others.filter((name) => /\.damaged-\d{8}T\d{6}Z$/.test(name))
      expect([round, aside.length]).toEqual([round, 1])
      expect(readFileSync(join(place, aside[0] ?? '')).equals(file)).toBe(true)
      // A log that is left is the damaged file's.
      expect(others.filter((name) => !name.startsWith(aside[0] ?? ''))).toEqual([])
    }
  } finally {
    for (const { child } of children) child.kill()
  }
}, 120_000)

test('its log goes with it, and not the log of the new file', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  writeFileSync(path, await damagedBytes())
  const other = new Database(path)
  other.pragma('wal_autocheckpoint = 0')
  other.pragma('user_version = 7')
  const log = readFileSync(`${path}-wal`)
  const store = await openSqliteStore({ path, onDamaged: 'set-aside', clock })
  await store.sessions.create({ id: 'a' })
  expect(readFileSync(`${path}.damaged-20260301T123015Z-wal`).equals(log)).toBe(true)
  // Who still had the old file open lets go of nothing of the new one.
  other.close()
  const reader = await openSqliteStore({ path })
  expect((await reader.sessions.list()).items.map(({ id }) => id)).toEqual(['a'])
  await reader.close()
  await store.close()
})

test('a log that who closes the file last deletes right then keeps nobody from setting the file aside', () => {
  const path = join(temporaryFolder(), 'sess.db')
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(path + suffix, suffix)
  const target = setFileAside(path, () => {
    rmSync(`${path}-wal`)
    return clock()
  })
  expect(target).toBe(`${path}.damaged-20260301T123015Z`)
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(
    ['', '-shm'].map((suffix) => `sess.db.damaged-20260301T123015Z${suffix}`),
  )
})

test('a process that dies while it has the path to itself keeps nobody out', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const file = await damagedBytes()
  writeFileSync(path, file)
  const child = await startLockOn(path)
  try {
    await expect(openSqliteStore({ path, onDamaged: 'set-aside', busyTimeout: 0 })).rejects.toMatchObject({
      code: 'busy',
      retryable: true,
    })
    expect(readFileSync(path).equals(file)).toBe(true)
  } finally {
    child.kill('SIGKILL')
  }
  await once(child, 'close')
  const store = await openSqliteStore({ path, onDamaged: 'set-aside', busyTimeout: 0 })
  expect((await store.sessions.create({ id: 'a' })).id).toBe('a')
  await store.close()
  expect(readdirSync(join(path, '..')).includes('sess.db.opening')).toBe(false)
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
})
