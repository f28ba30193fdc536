import { describe, expect, test } from 'vitest'
import type { MessageRange } from '../port/messages.ts'
import { planRead, rowsThatFit, toMessagePage } from './range.ts'
import type { MessageRecord } from './records.ts'

const mebibyte = 1_048_576

describe('rowsThatFit', () => {
  test.each<[string, number[], number]>([
    ['none of none', [], 0],
    ['all small ones', [1, 2, 3], 3],
    ['one that is too large by itself', [5 * mebibyte], 1],
    ['the first, however large, and no more', [5 * mebibyte, 1], 1],
    ['what comes to 4 MiB exactly', [mebibyte, 3 * mebibyte], 2],
    ['not the one that goes beyond 4 MiB', [mebibyte, 3 * mebibyte, 1], 2],
    ['not a small one behind a large one', [1, 5 * mebibyte, 1], 1],
    ['empty ones behind a full page', [4 * mebibyte, 0, 0, 1], 3],
  ])('takes %s', (_, sizes, count) => {
    expect(rowsThatFit(sizes)).toBe(count)
  })
})

describe('planRead', () => {
  test('fills in defaults', () => {
    expect(planRead('s1', {})).toMatchObject({
      fromSeq: 1,
      toSeq: Number.MAX_SAFE_INTEGER,
      order: 'asc',
      limit: 50,
    })
  })

  test('takes what is given', () => {
    expect(planRead('s1', { fromSeq: 3, toSeq: 9, order: 'desc', limit: 1000 })).toMatchObject({
      fromSeq: 3,
      toSeq: 9,
      order: 'desc',
      limit: 1000,
    })
  })

  test('a cursor moves the bound that the page came to', () => {
    const range = { fromSeq: 3, toSeq: 90 }
    const up = planRead('s1', range).cursorAt(12)
    expect(planRead('s1', { ...range, cursor: up })).toMatchObject({ fromSeq: 13, toSeq: 90 })
    const down = planRead('s1', { ...range, order: 'desc' }).cursorAt(12)
    expect(planRead('s1', { ...range, order: 'desc', cursor: down })).toMatchObject({ fromSeq: 3, toSeq: 11 })
  })

  test('pages of any size may follow each other, and the next cursor is as good as the first', () => {
    const first = planRead('s1', { limit: 10 }).cursorAt(10)
    const second = planRead('s1', { limit: 20, cursor: first })
    expect(second).toMatchObject({ fromSeq: 11, limit: 20 })
    expect(planRead('s1', { limit: 30, cursor: second.cursorAt(30) })).toMatchObject({ fromSeq: 31 })
  })

  test.each<[string, string, MessageRange]>([
    ['another session', 's2', {}],
    ['another order', 's1', { order: 'desc' }],
    ['another bound below', 's1', { fromSeq: 2 }],
    ['another bound above', 's1', { toSeq: 100 }],
  ])('a cursor of %s is refused', (_, id, range) => {
    const cursor = planRead('s1', {}).cursorAt(10)
    expect(() => planRead(id, { ...range, cursor })).toThrow(
      expect.objectContaining({ code: 'invalid-cursor' }),
    )
  })

  test.each<[unknown, string]>([
    [{ limit: 0 }, 'range.limit: too small: expected number to be >=1'],
    [{ limit: -1 }, 'range.limit: too small: expected number to be >=1'],
    [{ limit: 1001 }, 'range.limit: too big: expected number to be <=1000'],
    [{ limit: 1.5 }, 'range.limit: invalid input: expected int, received number'],
    [{ fromSeq: -1 }, 'range.fromSeq: too small: expected number to be >=0'],
    [{ order: 'up' }, 'range.order: invalid option: expected one of "asc"|"desc"'],
    [{ offset: 5 }, 'range.offset is not a field that is known here'],
    [{ cursor: 5 }, 'range.cursor: invalid input: expected string, received number'],
  ])('%j is invalid', (range, message) => {
    expect(() => planRead('s1', range as MessageRange)).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  })
})

describe('toMessagePage', () => {
  const plan = { cursorAt: (seq: number) => `after ${seq}` }
  const row = (seq: number, contentJson = '[]'): MessageRecord => ({
    messageId: `m${seq}`,
    seq,
    role: 'user',
    createdAt: 1,
    metadataJson: '{}',
    contentJson,
  })

  test('has a cursor only where rows follow', () => {
    expect(toMessagePage('s1', plan, [row(1), row(2)], true)).toMatchObject({ nextCursor: 'after 2' })
    expect(toMessagePage('s1', plan, [row(1), row(2)], false)).not.toHaveProperty('nextCursor')
    expect(toMessagePage('s1', plan, [], false)).toEqual({ items: [] })
  })

  test('lists damaged rows beside the others, and goes on behind them', () => {
    const page = toMessagePage('s1', plan, [row(1), row(2, 'torn')], true)
    expect(page.items.map(({ seq }) => seq)).toEqual([1])
    expect(page).toMatchObject({
      nextCursor: 'after 2',
      damaged: [{ seq: 2, reason: 'content is not JSON' }],
    })
  })
})
