import { describe, expect, test } from 'vitest'
import { encodeCursor } from '../cursor.ts'
import { assertWithinFeed, changeToken, planChanges } from './changes.ts'

describe('planChanges', () => {
  test('begins at the beginning, now, or where a token says', () => {
    expect(planChanges(undefined)).toEqual({ after: 0, limit: 50 })
    expect(planChanges('now', 3)).toEqual({ after: 'now', limit: 3 })
    expect(planChanges(changeToken(7), 1000)).toEqual({ after: 7, limit: 1000 })
    expect(planChanges(changeToken(0))).toEqual({ after: 0, limit: 50 })
  })

  test.each([
    ['text', 'nothing'],
    ['', ''],
    ['a cursor of a list', encodeCursor('sessions.list', null, [7])],
    ['a token below 0', encodeCursor('changes.since', null, [-1])],
    ['a token of text', encodeCursor('changes.since', null, ['7'])],
    ['a token of nothing', encodeCursor('changes.since', null, [])],
  ])('refuses %s', (_, token) => {
    expect(() => planChanges(token)).toThrow(expect.objectContaining({ code: 'invalid-cursor' }))
  })

  test.each([0, 1001, 1.5, Number.NaN])('a limit of %d is invalid, also for "now"', (limit) => {
    for (const token of [undefined, 'now', changeToken(1)])
      expect(() => planChanges(token, limit)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  test('a token that is no text is invalid', () => {
    expect(() => planChanges(5 as never)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })
})

describe('assertWithinFeed', () => {
  test.each([
    ['the beginning, always', 0, 9, 20],
    ['at the horizon: what was forgotten has been seen', 9, 9, 20],
    ['at the counter', 20, 9, 20],
    ['the beginning of an empty store', 0, 0, 0],
  ])('takes a token at %s', (_, after, horizon, counter) => {
    expect(() => assertWithinFeed(after, horizon, counter)).not.toThrow()
  })

  test.each([
    [8, 'the token is older than what this store remembers; start again without it'],
    [21, 'the token is ahead of this store; start again without it'],
  ])('refuses %i', (after, message) => {
    expect(() => assertWithinFeed(after, 9, 20)).toThrow(
      expect.objectContaining({ code: 'invalid-cursor', message }),
    )
  })
})
