import { describe, expect, test } from 'vitest'
import { checkOptions } from './options.ts'

const rules = { mode: ['a', 'b'], on: 'boolean', name: 'string', call: 'function' } as const

describe('checkOptions', () => {
  test.each([[{}], [{ mode: 'a', on: false, name: '', call: () => 0 }], [{ mode: undefined, other: 5 }]])(
    '%j is fit',
    (options) => {
      expect(checkOptions(options, rules)).toBeUndefined()
    },
  )

  test.each([
    [{ mode: 'c' }, 'options.mode: must be one of "a", "b", found "c"'],
    [{ mode: null }, 'options.mode: must be one of "a", "b", found null'],
    [{ on: 'true' }, 'options.on: must be a boolean, found "true"'],
    [{ on: 1 }, 'options.on: must be a boolean, found a number'],
    [{ name: {} }, 'options.name: must be a string, found an object'],
    [{ call: 'x' }, 'options.call: must be a function, found "x"'],
  ])('%j is invalid', (options, message) => {
    expect(() => checkOptions(options, rules)).toThrow(expect.objectContaining({ code: 'invalid', message }))
  })
})
