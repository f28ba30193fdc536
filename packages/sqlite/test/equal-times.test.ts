// A thousand sessions of one millisecond, paged by 7: nothing is lost or given twice in any order, whatever is written
// between pages (Goose's pages by time lose and repeat rows of equal times).

import type { SessionQuery, SessionStore } from '@sess/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'

const count = 1000
let store: SessionStore

beforeEach(async () => {
  let number = 0
  store = await openSqliteStore({
    path: ':memory:',
    clock: () => 1_772_366_000_000,
    ids: { message: () => `m${++number}`, session: () => `extra-${++number}` },
  })
  await store.transact(async ({ sessions }) => {
    for (let index = 0; index < count; index++) await sessions.create({ id: idOf(index) })
    for (let index = 0; index < count; index += 10) await sessions.update(idOf(index), { pinned: true })
  })
})
afterEach(() => store.close())

const idOf = (index: number) => `s${String(index).padStart(4, '0')}`
const original = Array.from({ length: count }, (_, index) => idOf(index))

/** All ids of a list, page by page; `between` runs after each page with what it held. */
async function page(
  query: SessionQuery,
  between: (ids: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const found = await store.sessions.list({
      ...query,
      limit: 7,
      ...(cursor === undefined ? {} : { cursor }),
    })
    ids.push(...found.items.map(({ id }) => id))
    await between(found.items.map(({ id }) => id))
    cursor = found.nextCursor
  } while (cursor !== undefined)
  return ids
}

const orders = (['active', 'created'] as const).flatMap((sort) =>
  (['desc', 'asc'] as const).flatMap((order) =>
    [false, true].map((pinnedFirst) => ({ sort, order, pinnedFirst })),
  ),
)

describe.each(orders)('sorted by $sort, $order, pinned first: $pinnedFirst', (query) => {
  test('in order of creation, each once', async () => {
    const ids = await page(query, async () => {})
    const inOrder = query.order === 'desc' ? original.toReversed() : original
    const isPinned = (id: string) => id.endsWith('0')
    expect(ids).toEqual(
      query.pinnedFirst ? [...inOrder.filter(isPinned), ...inOrder.filter((id) => !isPinned(id))] : inOrder,
    )
  })

  test('with sessions created and purged between pages, each that stays comes once', async () => {
    const seen = new Set<string>()
    const purged = new Set<string>()
    const ids = await page(query, async (given) => {
      for (const id of given) seen.add(id)
      await store.sessions.create()
      // One that was given, and one that is still to come.
      const ahead = original.find((id) => !seen.has(id) && !purged.has(id))
      for (const id of [given[0], ahead]) {
        if (id === undefined) continue
        purged.add(id)
        await store.sessions.remove(id, { purge: true })
      }
    })
    expect(new Set(ids).size).toBe(ids.length)
    const stayed = original.filter((id) => !purged.has(id))
    expect(stayed.filter((id) => !ids.includes(id))).toEqual([])
  })
})

test("the day's highest number is not used again after a purge, nor when it comes from outside", async () => {
  const clock = () => Date.UTC(2026, 2, 1)
  const dated = await openSqliteStore({ path: ':memory:', clock })
  expect([(await dated.sessions.create()).id, (await dated.sessions.create()).id]).toEqual([
    '20260301_1',
    '20260301_2',
  ])
  await dated.sessions.remove('20260301_2', { purge: true })
  expect((await dated.sessions.create()).id).toBe('20260301_3')
  await dated.sessions.create({ id: '20260301_9' })
  expect((await dated.sessions.create()).id).toBe('20260301_10')
  await dated.close()
})

test('an id of Goose that is a time of day does not move the counter', async () => {
  const dated = await openSqliteStore({ path: ':memory:', clock: () => Date.UTC(2025, 9, 1) })
  await dated.sessions.create({ id: '20251001_94012' })
  expect((await dated.sessions.create()).id).toBe('20251001_1')
  await dated.close()
})

test('the day is that of the time zone', async () => {
  const clock = () => Date.parse('2026-03-01T23:30:00Z')
  const ids: string[] = []
  for (const timeZone of ['UTC', 'Asia/Shanghai', 'America/New_York']) {
    const dated = await openSqliteStore({ path: ':memory:', clock, timeZone })
    ids.push((await dated.sessions.create()).id)
    await dated.close()
  }
  expect(ids).toEqual(['20260301_1', '20260302_1', '20260301_1'])
})
