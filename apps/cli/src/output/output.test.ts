import { describe, expect, it } from 'vitest'
import { hasColors } from './output.ts'

const terminal = { isTTY: true }
const pipe = {}

describe('hasColors', () => {
  it('colours a terminal, and a pipe when it is forced to', () => {
    expect(hasColors(terminal, {})).toBe(true)
    expect(hasColors(pipe, {})).toBe(false)
    expect(hasColors(pipe, { FORCE_COLOR: '1' })).toBe(true)
    expect(hasColors(terminal, { FORCE_COLOR: '0' })).toBe(false)
    expect(hasColors(terminal, { TERM: 'dumb' })).toBe(false)
    // Continuous integration is no reason: its pipes are pipes.
    expect(hasColors(pipe, { CI: 'true' })).toBe(false)
  })

  it('lets NO_COLOR win, unless it is empty', () => {
    expect(hasColors(terminal, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false)
    expect(hasColors(terminal, { NO_COLOR: '' })).toBe(true)
  })
})
