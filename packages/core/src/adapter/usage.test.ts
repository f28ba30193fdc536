import { describe, expect, test } from 'vitest'
import { addToCounts, checkUsage, countsOnceMore } from './usage.ts'

describe('checkUsage', () => {
  test('answers the counts alone', () => {
    const counts = { input: 1, output: 2, total: 3, cacheRead: 4, cacheWrite: 5, cost: 0.5 }
    expect(
      checkUsage({ ...counts, provider: 'p', model: 'm', messageId: 'i', at: 7, kind: 'k' }).counts,
    ).toEqual(counts)
    expect(checkUsage({ input: 0 })).toEqual({ event: { input: 0 }, counts: { input: 0 } })
    expect(checkUsage({})).toEqual({ event: {}, counts: {} })
  })

  test.each([
    [{ input: -1 }, 'usage.input'],
    [{ cacheRead: Number.POSITIVE_INFINITY }, 'usage.cacheRead'],
    [{ cost: 'much' }, 'usage.cost'],
    [{ at: 1.5 }, 'usage.at'],
    [{ provider: 5 }, 'usage.provider'],
    [null, 'usage'],
  ])('refuses %o', (usage, named) => {
    expect(() => checkUsage(usage as never)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining(named) }),
    )
  })
})

describe('addToCounts', () => {
  test('sums each count by itself; a count that was never there stays absent', () => {
    const before = { last: { input: 9 }, accumulated: { input: 9, cost: 0.5 } }
    expect(addToCounts(before, { input: 1, output: 2 })).toEqual({
      last: { input: 1, output: 2 },
      accumulated: { input: 10, output: 2, cost: 0.5 },
    })
    expect(before.accumulated).toEqual({ input: 9, cost: 0.5 })
  })

  test('begins with nothing', () => {
    expect(addToCounts({ last: {}, accumulated: {} }, {})).toEqual({ last: {}, accumulated: {} })
  })
})

describe('countsOnceMore', () => {
  const before = { last: { input: 1 }, accumulated: { input: 41, output: 3 } }

  test('exchanges what a source had used, and keeps what was used here', () => {
    const source = { last: { input: 7 }, accumulated: { input: 60, cost: 1 } }
    expect(countsOnceMore(before, source, { input: 40 })).toEqual({
      last: { input: 7 },
      accumulated: { input: 61, output: 3, cost: 1 },
    })
    expect(countsOnceMore(before, source)).toMatchObject({ accumulated: { input: 101 } })
  })

  test('changes nothing where the source says nothing', () => {
    expect(countsOnceMore(before, { last: {}, accumulated: {} }, { input: 40 })).toBe(before)
  })

  test('refuses what no number holds', () => {
    const source = { last: {}, accumulated: { input: Number.MAX_SAFE_INTEGER } }
    expect(() => countsOnceMore(before, source)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining('session.tokenCounts.accumulated.input'),
      }),
    )
  })
})
