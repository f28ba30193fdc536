import { expect, test } from 'vitest'
import type { SessionQuery } from '../types/query.ts'
import { listPage } from './list-page.ts'
import { planList } from './query.ts'

const held = (rowId: number, lastActiveAt: number, pinned = 0) => ({
  row: { rowId, lastActiveAt, createdAt: 100 - rowId, pinned },
})

// Two of the same time, and two that are pinned.
const sessions = [held(1, 50), held(2, 70), held(3, 50), held(4, 10, 1), held(5, 60), held(6, 20, 1)]

/** The row ids of each page. */
function pages(query: SessionQuery): number[][] {
  const found: number[][] = []
  for (let cursor: string | undefined; ; ) {
    const page = listPage(planList({ ...query, ...(cursor === undefined ? {} : { cursor }) }), sessions)
    found.push(page.items.map(({ row }) => row.rowId))
    if (page.nextCursor === undefined) return found
    cursor = page.nextCursor
  }
}

test.each<[SessionQuery, number[][]]>([
  [{}, [[2, 5, 3, 1, 6, 4]]],
  [{ limit: 6 }, [[2, 5, 3, 1, 6, 4]]],
  [
    { limit: 3 },
    [
      [2, 5, 3],
      [1, 6, 4],
    ],
  ],
  [
    { limit: 4, order: 'asc' },
    [
      [4, 6, 1, 3],
      [5, 2],
    ],
  ],
  [
    { limit: 4, sort: 'created' },
    [
      [1, 2, 3, 4],
      [5, 6],
    ],
  ],
  [{ limit: 1, pinnedFirst: true }, [[6], [4], [2], [5], [3], [1]]],
  [
    { limit: 3, pinnedFirst: true, order: 'asc' },
    [
      [4, 6, 1],
      [3, 5, 2],
    ],
  ],
])('%j has the pages %j', (query, expected) => {
  expect(pages(query)).toEqual(expected)
})

test('nothing that matches is one empty page', () => {
  expect(listPage(planList({ limit: 1 }), [])).toEqual({ items: [] })
})
