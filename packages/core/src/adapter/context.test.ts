import { describe, expect, test } from 'vitest'
import {
  contextAfterEdit,
  contextFields,
  contextOf,
  contextWithout,
  planCompaction,
  type SummaryFacts,
  summaryFacts,
} from './context.ts'

/** Three summaries, each built on the one before: through 2, 4 and 6, at seqs 7, 8 and 9. */
const chain: readonly SummaryFacts[] = [
  { seq: 7, fromSeq: 1, throughSeq: 2, line: [] },
  { seq: 8, fromSeq: 1, throughSeq: 4, line: [7] },
  { seq: 9, fromSeq: 1, throughSeq: 6, line: [7, 8] },
]
const current = { startSeq: 7, summarySeq: 9 }
const without =
  (...gone: number[]) =>
  (seq: number) =>
    !gone.includes(seq)

describe('contextWithout', () => {
  test.each([
    ['nothing', [], current],
    ['one it is built on', [7, 8], current],
    ['the current one', [9], { startSeq: 5, summarySeq: 8 }],
    ['it and the one before', [9, 8], { startSeq: 3, summarySeq: 7 }],
    ['it and the first', [9, 7], { startSeq: 5, summarySeq: 8 }],
    ['all', [7, 8, 9], { startSeq: 1 }],
  ])('without %s', (_, gone, expected) => {
    expect(contextWithout(current, chain, without(...gone))).toEqual(expected)
    // Whatever order they are read in.
    expect(contextWithout(current, chain.toReversed(), without(...gone))).toEqual(expected)
  })

  test('a newer summary that is not of its line does not stand in', () => {
    const stranger = { seq: 20, fromSeq: 1, throughSeq: 19, line: [] }
    expect(contextWithout(current, [...chain, stranger], without(9, 8, 7))).toEqual({ startSeq: 1 })
  })

  test('without a summary it stays: a reset is never moved back', () => {
    expect(contextWithout({ startSeq: 10 }, chain, without(7, 8, 9))).toEqual({ startSeq: 10 })
  })

  test('a summary made after a reset gives back what came since', () => {
    const since = [{ seq: 12, fromSeq: 10, throughSeq: 11, line: [] }]
    expect(contextWithout({ startSeq: 12, summarySeq: 12 }, since, without(12))).toEqual({ startSeq: 10 })
  })

  test('a lost one whose mark cannot be read leaves the start where it was', () => {
    expect(contextWithout(current, chain.slice(0, 2), without(9))).toEqual({ startSeq: 7 })
  })
})

describe('summaryFacts', () => {
  test('are what the mark says', () => {
    const metadataJson = '{"k":1,"summary":{"fromSeq":1,"throughSeq":4,"line":[7]}}'
    expect(summaryFacts({ seq: 8, metadataJson })).toEqual(chain[1])
  })

  test.each([
    '{}',
    '{broken',
    'null',
    '5',
    '{"summary":{}}',
    '{"summary":null}',
    '{"summary":{"fromSeq":1,"throughSeq":"4","line":[]}}',
    '{"summary":{"fromSeq":1.5,"throughSeq":4,"line":[]}}',
    '{"summary":{"fromSeq":1,"throughSeq":4,"line":7}}',
    '{"summary":{"fromSeq":1,"throughSeq":4,"line":["7"]}}',
  ])('are none where it cannot be read: %s', (metadataJson) => {
    expect(summaryFacts({ seq: 8, metadataJson })).toBeUndefined()
  })
})

describe('planCompaction', () => {
  test('of a first summary', () => {
    expect(planCompaction({ context: { startSeq: 3 }, nextSeq: 9 }, undefined, 5)).toEqual({
      summary: { fromSeq: 3, throughSeq: 5, line: [] },
      context: { startSeq: 6, summarySeq: 9 },
    })
  })

  test('of one that builds on the current one', () => {
    expect(planCompaction({ context: current, nextSeq: 12 }, chain[2], 10)).toEqual({
      summary: { fromSeq: 1, throughSeq: 10, line: [7, 8, 9] },
      context: { startSeq: 11, summarySeq: 12 },
    })
  })

  test.each([
    [2, 'must be from 3, the context’s start, to 8, the last message'],
    [9, 'must be from 3, the context’s start, to 8, the last message'],
  ])('through %i is invalid', (throughSeq, message) => {
    expect(() => planCompaction({ context: { startSeq: 3 }, nextSeq: 9 }, undefined, throughSeq)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: `options.throughSeq: ${message.replace('’', "'")}`,
      }),
    )
  })

  test.each([3, 8])('through %i is not', (throughSeq) => {
    const plan = planCompaction({ context: { startSeq: 3 }, nextSeq: 9 }, undefined, throughSeq)
    expect(plan.context.startSeq).toBe(throughSeq + 1)
  })
})

test('an edit takes the pointer from a current summary that is none any more, and from nothing else', () => {
  expect(contextAfterEdit(current, { seq: 9, turnPart: 5 })).toBe(current)
  expect(contextAfterEdit(current, { seq: 8, turnPart: 1 })).toBe(current)
  expect(contextAfterEdit(current, { seq: 9, turnPart: 1 })).toEqual({ startSeq: 7 })
  expect(contextAfterEdit(current, { seq: 9, turnPart: null })).toEqual({ startSeq: 7 })
  expect(contextAfterEdit({ startSeq: 7 }, { seq: 9, turnPart: 1 })).toEqual({ startSeq: 7 })
})

test.each([[current], [{ startSeq: 4 }]])('columns and back: %o', (context) => {
  expect(contextOf(contextFields(context))).toEqual(context)
})
