import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from './check.ts'
import { isMessageId, isSessionId } from './ids.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })

describe('check', () => {
  const schema = z.strictObject({ a: z.object({ list: z.array(z.number()) }) })

  test('answers the caller’s own value, not zod’s copy', () => {
    const loose = z.looseObject({ name: z.string() })
    const value = JSON.parse('{"name": "x", "__proto__": {"kept": true}}')
    expect(check(loose, value, 'value')).toBe(value)
    expect(Object.keys(check(loose, value, 'value'))).toEqual(['name', '__proto__'])
  })

  test('names the path of what is wrong', () => {
    expect(() => check(schema, { a: { list: [1, 'two'] } } as unknown, 'options')).toThrow(
      invalid('options.a.list[1]: invalid input: expected number, received string'),
    )
    expect(() => check(schema, undefined as unknown, 'options')).toThrow(
      invalid('options: invalid input: expected object, received undefined'),
    )
  })

  test('names a field that is not known', () => {
    expect(() => check(schema, { a: { list: [] }, 'my key': 1 } as unknown, 'options')).toThrow(
      invalid('options["my key"] is not a field that is known here'),
    )
  })

  test('refuses an own __proto__ where fields are fixed', () => {
    expect(() => check(schema, JSON.parse('{"a": {"list": []}, "__proto__": {}}'), 'options')).toThrow(
      invalid('options.__proto__ is not a field that is known here'),
    )
  })

  test('of alternatives, tells of the one that was meant: the one that fails deepest inside', () => {
    const either = z.object({
      value: z.union([
        z.string(),
        z.array(z.number()),
        z.array(z.object({ type: z.string() })),
        z.object({ text: z.string() }),
      ]),
    })
    expect(() => check(either, { value: [{ type: 'a' }, { type: 1 }] } as unknown, 'message')).toThrow(
      invalid('message.value[1].type: invalid input: expected string, received number'),
    )
    expect(() => check(either, { value: { text: 5 } } as unknown, 'message')).toThrow(
      invalid('message.value.text: invalid input: expected string, received number'),
    )
    expect(() => check(either, { value: 5 } as unknown, 'message')).toThrow(
      invalid('message.value: invalid input'),
    )
  })

  test('a getter or a proxy that throws is invalid, with its error as the cause', () => {
    const cause = new Error('not now')
    const value = {
      get a(): never {
        throw cause
      },
    }
    expect(() => check(schema, value as unknown, 'options')).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: 'options cannot be read: not now',
        cause,
      }),
    )
  })
})

describe('isSessionId and isMessageId', () => {
  test.each([
    'a',
    '20260301_1',
    'scheduler_daily',
    'telegram:42',
    'a/b c?d#e',
    '...',
    ' ',
    '会话',
    'x'.repeat(256),
    '😀'.repeat(256),
  ])('%j can be an id', (id) => {
    expect(isSessionId(id)).toBe(true)
    expect(isMessageId(id)).toBe(true)
  })

  test.each(['', 'a\nb', 'a\0', '\x7f', '\x85', '\ud83d', 'x\udc00', 'x'.repeat(301)])('%j can not', (id) => {
    expect(isSessionId(id)).toBe(false)
    expect(isMessageId(id)).toBe(false)
  })

  test('only a session’s must fit into 256 code points', () => {
    for (const id of ['😀'.repeat(257), '😀'.repeat(300)]) {
      expect([isSessionId(id), isMessageId(id)]).toEqual([false, true])
    }
  })

  test.each(['.', '..'])('%j is none: no URL can carry it', (id) => {
    expect([isSessionId(id), isMessageId(id)]).toEqual([false, false])
  })

  test('what is no text is invalid', () => {
    expect(() => isSessionId(5 as never)).toThrow(
      invalid('id: invalid input: expected string, received number'),
    )
    expect(() => isMessageId(undefined as never)).toThrow(
      invalid('messageId: invalid input: expected string, received undefined'),
    )
  })
})
