// Several processes on one file. Two handles in one process cannot show this: the event loop would wait for itself.

import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { linesOf, start } from './processes.ts'
import { temporaryFolder } from './support.ts'

describe('two processes append to one session', () => {
  test('no message is lost, repeated or out of order, and seq has no gap', async () => {
    const path = join(temporaryFolder(), 'sess.db')
    const children = [start('append', path, 's', 'a', 600, 1), start('append', path, 's', 'b', 150, 4)]
    await Promise.all(children.map(linesOf))

    const store = await openSqliteStore({ path })
    const session = await store.sessions.get('s')
    expect([session?.messageCount, session?.nextSeq, session?.version]).toEqual([1200, 1201, 750])
    const texts: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.messages.read('s', {
        limit: 1000,
        ...(cursor === undefined ? {} : { cursor }),
      })
      texts.push(...page.items.map(({ id, seq }) => `${seq} ${id}`))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(texts.map((text) => Number(text.split(' ')[0]))).toEqual(
      Array.from({ length: 1200 }, (_, index) => index + 1),
    )
    const ids = texts.map((text) => text.split(' ')[1] ?? '')
    expect(ids.filter((id) => id.startsWith('a-'))).toEqual(
      Array.from({ length: 600 }, (_, index) => `a-${index}-0`),
    )
    // A batch stays together.
    const batches = Array.from({ length: 150 }, (_, index) =>
      [0, 1, 2, 3].map((part) => `b-${index}-${part}`),
    )
    expect(ids.filter((id) => id.startsWith('b-'))).toEqual(batches.flat())
    for (const batch of batches) {
      const first = ids.indexOf(batch[0] ?? '')
      expect(ids.slice(first, first + 4)).toEqual(batch)
    }
    await store.close()
  }, 60_000)
})

test('a writer that is killed leaves a readable file with every append it was told of', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const child = start('append', path, 's', 'k', 100_000, 3)
  let printed = ''
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (data: Buffer) => {
      printed += data.toString()
      if (printed.split('\n').length > 60) resolve()
    })
  })
  child.kill('SIGKILL')
  await once(child, 'close')
  const told = printed
    .split('\n')
    .slice(1)
    .filter((line) => /^\d+ \d+$/.test(line))
  const lastTold = Number(told.at(-1)?.split(' ')[1])

  const store = await openSqliteStore({ path })
  const session = await store.sessions.get('s')
  expect(session?.messageCount).toBeGreaterThanOrEqual(lastTold)
  // Whole batches only, and counters that agree with the rows.
  expect((session?.messageCount ?? 0) % 3).toBe(0)
  expect(session?.nextSeq).toBe((session?.messageCount ?? 0) + 1)
  const receipt = await store.messages.append('s', [{ role: 'user', content: 'after' }])
  expect(receipt.firstSeq).toBe(session?.nextSeq)
  await store.close()
  const database = new Database(path)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
}, 60_000)

test('ten processes that create sessions at once never make the same id', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const children = Array.from({ length: 10 }, () => linesOf(start('create', path, 100)))
  const numbers = (await Promise.all(children)).flat().map((id) => Number(/^20260301_(\d+)$/.exec(id)?.[1]))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
}, 120_000)
