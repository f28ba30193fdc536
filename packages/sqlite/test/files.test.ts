// The file under an open store: deleted or replaced it is written no more, and what else opens it lets go of nothing.

import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { temporaryFolder } from './support.ts'

const user = (content: string) => ({ role: 'user', content }) as const

async function openWithSession(path: string): Promise<SessionStore> {
  const store = await openSqliteStore({ path })
  await store.messages.append('s', [user('q')], { createSession: true })
  return store
}

describe('a file that was', () => {
  const deleted =
    'was deleted or moved while it was open: nothing more is written to it. Put it back, or open it again to begin a new one: its log is then kept under another name'
  const replaced =
    'was replaced by another file while it was open: nothing more is written to it. Open it again'

  test.each<[string, string, (path: string) => void]>([
    ['deleted', deleted, (path) => rmSync(path)],
    ['moved', deleted, (path) => renameSync(path, `${path}.old`)],
    [
      'replaced',
      replaced,
      (path) => {
        copyFileSync(path, `${path}.copy`)
        renameSync(`${path}.copy`, path)
      },
    ],
  ])('%s under an open store is written no more, and still read', async (_, what, change) => {
    const path = join(temporaryFolder(), 'sess.db')
    const store = await openWithSession(path)
    change(path)
    let ran = 0
    const refused = { code: 'unavailable', retryable: false, message: `${path} ${what}` }
    await expect(store.messages.append('s', [user('x')])).rejects.toMatchObject({
      ...refused,
      operation: 'messages.append',
    })
    await expect(
      store.transact(async () => {
        ran++
      }),
    ).rejects.toMatchObject({ ...refused, operation: 'transact' })
    expect(ran).toBe(0)
    expect((await store.sessions.get('s'))?.messageCount).toBe(1)
    await store.close()
    const again = await openSqliteStore({ path })
    await again.sessions.create({ id: 'new' })
    await again.close()
  })

  test('moved away and back is written again', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const store = await openWithSession(path)
    renameSync(path, `${path}.old`)
    await expect(store.sessions.create()).rejects.toMatchObject({ code: 'unavailable' })
    renameSync(`${path}.old`, path)
    expect((await store.messages.append('s', [user('x')])).firstSeq).toBe(2)
    await store.close()
  })
})

/** The locks this process holds on a file, where the system tells. */
function locksOn(path: string): string[] {
  const { ino } = statSync(path)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
    .map((line) => line.replace(/^\d+: /, ''))
}

test.skipIf(!existsSync('/proc/locks'))(
  'what else opens it in this process lets go of no lock of an open store',
  async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const first = await openWithSession(path)
    const held = locksOn(path)
    expect(held.length).toBe(1)
    const second = await openSqliteStore({ path })
    expect(locksOn(path)).toEqual(held)
    await second.close()
    expect(locksOn(path)).toEqual(held)
    await first.close()
  },
)

test('a link to a file that is not there yet makes one that its owner alone can read', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'link.db')
  symlinkSync(join(folder, 'target.db'), path)
  const store = await openWithSession(path)
  expect((statSync(join(folder, 'target.db')).mode & 0o777).toString(8)).toBe('600')
  await store.close()
  expect(readdirSync(folder).toSorted()).toEqual(['link.db', 'target.db'])
})

test.each(['folded into the file', 'in the log alone'])(
  'nothing is made beside another product’s database whose tables are %s',
  async (where) => {
    const folder = temporaryFolder()
    const path = join(folder, 'other.db')
    const writer = new Database(join(folder, 'made.db'))
    writer.pragma('journal_mode = WAL')
    writer.exec('CREATE TABLE invoices (id INTEGER)')
    if (where === 'folded into the file') writer.pragma('wal_checkpoint(TRUNCATE)')
    else copyFileSync(join(folder, 'made.db-wal'), `${path}-wal`)
    copyFileSync(join(folder, 'made.db'), path)
    writer.close()
    rmSync(join(folder, 'made.db'))
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
    for (const options of [{}, { readOnly: true }, { onDamaged: 'set-aside' as const }])
      await expect(openSqliteStore({ ...options, path })).rejects.toMatchObject({
        code: 'invalid',
        message: `${path} is another application's database (it has the table "invoices"), not one of sess; it was left untouched`,
      })
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])).toEqual(before)
  },
)

test('a file of ours whose mark is still in its log is ours', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'sess.db')
  const made = join(folder, 'made.db')
  writeFileSync(made, '')
  const store = await openWithSession(made)
  copyFileSync(made, path)
  copyFileSync(`${made}-wal`, `${path}-wal`)
  await store.close()
  expect(readFileSync(path).readUInt32BE(68)).toBe(0)
  const again = await openSqliteStore({ path })
  expect((await again.sessions.get('s'))?.messageCount).toBe(1)
  await again.close()
})
