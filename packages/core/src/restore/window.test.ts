import { describe, expect, test } from 'vitest'
import { defaultAgentMaxTurns, isScheduled, restoreWindow } from './window.ts'

describe('restoreWindow', () => {
  test.each([
    [1, 1, 3],
    [4, 1, 3],
    [5, 1, 3],
    [6, 1, 3],
    [10, 2, 3],
    [18, 3, 3],
    [20, 4, 3],
    [23, 4, 3],
    [24, 4, 4],
    [30, 6, 5],
    [36, 7, 6],
    [100, 20, 16],
  ])('of an agent with %i turns is %i for a scheduled session, %i for others', (turns, scheduled, other) => {
    expect(restoreWindow(turns, { id: 'x', type: 'scheduled' })).toBe(scheduled)
    expect(restoreWindow(turns, { id: 'scheduler_x', type: 'user' })).toBe(scheduled)
    expect(restoreWindow(turns, { id: 'x', type: 'user' })).toBe(other)
    expect(restoreWindow(turns, { id: 'x' })).toBe(other)
  })

  test('is made of 20 turns unless given', () => {
    expect(defaultAgentMaxTurns).toBe(20)
  })
})

describe('isScheduled', () => {
  test.each([
    ['scheduler_daily', 'user', true],
    ['scheduler_daily', undefined, true],
    ['scheduler_', 'acp', true],
    ['20260301_1', 'scheduled', true],
    ['my_scheduler_x', 'user', false],
    ['20260301_1', 'user', false],
    ['schedulerdaily', 'user', false],
    ['Scheduler_daily', 'user', false],
    ['schedulerdaily', undefined, false],
  ])('%s of type %s: %s', (id, type, expected) => {
    expect(isScheduled(type === undefined ? { id } : { id, type })).toBe(expected)
  })
})
