import { expect, it } from 'vitest'
import { keepArguments, objectInput, readArguments, writeArguments } from './arguments.ts'

it('readArguments reads JSON; text that is none, or that no store takes, stands for itself', () => {
  expect(readArguments('{"a": 1}')).toEqual({ a: 1 })
  expect(readArguments('null')).toBeNull()
  expect(readArguments('')).toEqual({})
  expect(readArguments(' \n')).toEqual({})
  expect(readArguments(undefined)).toEqual({})
  expect(readArguments(null)).toEqual({})
  expect(readArguments({ a: 1 })).toEqual({ a: 1 })
  expect(readArguments('{"a"')).toBe('{"a"')
  expect(readArguments('{"a":1e999}')).toBe('{"a":1e999}')
  const deep = '['.repeat(2000) + ']'.repeat(2000)
  expect(readArguments(deep)).toBe(deep)
})

it('objectInput makes an object of any input', () => {
  expect(objectInput({ a: 1 })).toEqual({ a: 1 })
  expect(objectInput('{"a":1}')).toEqual({ a: 1 })
  expect(objectInput('[1]')).toEqual({ rawInvalidInput: '[1]' })
  expect(objectInput(5)).toEqual({ rawInvalidInput: 5 })
  expect(objectInput(undefined)).toEqual({})
  expect(writeArguments('ls')).toBe('{"rawInvalidInput":"ls"}')
})

it('keepArguments keeps a text that says the same', () => {
  expect(keepArguments({ a: 1 }, '{"a": 1}')).toBe('{"a": 1}')
  expect(keepArguments({ a: 2 }, '{"a": 1}')).toBe('{"a":2}')
  expect(keepArguments({}, '')).toBe('{}')
  expect(keepArguments('{"a"', '{"a"')).toBe('{"rawInvalidInput":"{\\"a\\""}')
  expect(keepArguments({}, undefined)).toBe('{}')
})
