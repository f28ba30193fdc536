// Several processes on one file: what they index together is exact, and so is what one leaves that is killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { indexProblems } from './index-contents.ts'
import { temporaryFolder } from './support.ts'

function start(program: string, ...args: readonly (string | number)[]): ChildProcess {
  const file = fileURLToPath(new URL(`./children/${program}.ts`, import.meta.url))
  return spawn(process.execPath, ['--conditions=@sess/source', file, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function linesOf(child: ChildProcess): Promise<string[]> {
  let text = ''
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString()
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  return text.trim().split('\n')
}

function problemsOf(path: string): string[] {
  const database = new Database(path)
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    return indexProblems(database)
  } finally {
    database.close()
  }
}

test('processes that append and search at once lose and double no row', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  await (await openSqliteStore({ path })).close()
  const writers = [start('append', path, 'a', 'common', 150, 2), start('append', path, 'b', 'common', 150, 1)]
  const searchers = [start('search', path, 25), start('search', path, 25)]
  const [, , ...counts] = await Promise.all([...writers, ...searchers].map(linesOf))
  for (const found of counts) {
    const numbers = found.slice(1).map(Number)
    expect(numbers.length).toBe(25)
    // What was found once is found again.
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  }
  const store = await openSqliteStore({ path })
  expect((await store.search.messages({ text: 'common', limit: 1000 })).items.length).toBe(450)
  await store.close()
  expect(problemsOf(path)).toEqual([])
}, 120_000)

test('a process that is killed while it indexes leaves what the next one completes', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  const words = 'common words of a message that takes a while '.repeat(10)
  for (let session = 0; session < 4; session++) {
    const messages = Array.from({ length: 500 }, () => ({ role: 'user' as const, content: words }))
    await store.messages.append(`s${session}`, messages, { createSession: true })
  }
  const watch = new Database(path)
  const watermark = () =>
    watch.prepare<[], number>("SELECT value FROM schema_meta WHERE key = 'watermark'").pluck().get() ?? 0
  let killed = 0
  for (let round = 0; round < 5 && watermark() < 2000; round++) {
    const before = watermark()
    const child = start('search', path, 1)
    const closed = once(child, 'close')
    while (watermark() === before && child.exitCode === null)
      await new Promise((resolve) => setImmediate(resolve))
    if (child.kill('SIGKILL')) killed++
    await closed
    // Rows up to the watermark are there, none beyond.
    const entries = watch.prepare<[], number>('SELECT max(id) FROM messages_fts_docsize').pluck().get()
    expect(entries).toBe(watermark())
  }
  watch.close()
  expect(killed).toBeGreaterThan(0)
  await store.messages.update('s0', (await store.messages.read('s0', { limit: 1 })).items[0]?.id ?? '', {
    content: 'other',
  })
  await store.search.messages({ text: 'common' })
  await store.close()
  expect(problemsOf(path)).toEqual([])
}, 120_000)
