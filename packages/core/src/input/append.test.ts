import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { resolveOptions } from '../options.ts'
import type { AppendOptions } from '../port/messages.ts'
import type { NewMessage } from '../types/message.ts'
import { prepareAppend } from './append.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })
const context = resolveOptions({})
const hi: NewMessage = { role: 'user', content: 'hi' }
const prepare = (options: unknown, id = 's1', messages: readonly NewMessage[] = [hi]) =>
  prepareAppend(id, messages, options as AppendOptions, context, limits.messageBytes)

describe('prepareAppend', () => {
  test('without options creates nothing and expects nothing', () => {
    expect(prepare({})).toMatchObject({
      createSession: undefined,
      expectedVersion: undefined,
      operationId: undefined,
      digest: undefined,
    })
  })

  test('createSession: true is a session of defaults, fields are taken', () => {
    expect(prepare({ createSession: true }).createSession).toMatchObject({
      name: 'New session',
      type: 'user',
    })
    expect(prepare({ createSession: { name: 'Trip', type: 'acp' } }).createSession).toMatchObject({
      name: 'Trip',
      nameSource: 'user',
      type: 'acp',
    })
  })

  test('the id may be repeated in createSession', () => {
    expect(prepare({ createSession: { id: 's1' } }).createSession?.id).toBe('s1')
  })

  test('a digest is made where there is an operation id', () => {
    const { operationId, digest } = prepare({ operationId: 'op', expectedVersion: 0 })
    expect(operationId).toBe('op')
    expect(digest).toMatch(/^[0-9a-f]{32}$/)
    expect(prepare({ operationId: 'other', createSession: true, expectedVersion: 3 }).digest).toBe(digest)
  })

  test.each<[string, unknown, string]>([
    [
      'another id in createSession',
      { createSession: { id: 't' } },
      'options.createSession.id: must be "s1", the session appended to',
    ],
    [
      'an unknown field in createSession',
      { createSession: { titel: 'x' } },
      'options.createSession.titel is not a field that is known here',
    ],
    [
      'a bad name in createSession',
      { createSession: { name: '' } },
      'options.createSession.name: must not be empty',
    ],
    [
      'a bigint in createSession',
      { createSession: { metadata: { a: 1n } } },
      'options.createSession.metadata.a is a bigint, which JSON does not have',
    ],
    [
      'createSession: false',
      { createSession: false },
      'options.createSession: must be true or the fields of a session',
    ],
    ['an unknown option', { create: true }, 'options.create is not a field that is known here'],
    ['no options object', null, 'options: invalid input: expected object, received null'],
    [
      'a version below zero',
      { expectedVersion: -1 },
      'options.expectedVersion: too small: expected number to be >=0',
    ],
    ['an empty operation id', { operationId: '' }, 'options.operationId: must not be empty'],
  ])('%s is invalid', (_, options, message) => {
    expect(() => prepare(options)).toThrow(invalid(message))
  })

  test('the session’s id is checked before everything else', () => {
    expect(() => prepare(null, '..')).toThrow(invalid('id: must not be "." or ".."'))
    expect(() => prepare({}, 5 as never)).toThrow(
      invalid('id: invalid input: expected string, received number'),
    )
  })

  test('messages are checked', () => {
    expect(() => prepare({}, 's1', [hi, { role: 'user' } as NewMessage])).toThrow(
      invalid('messages[1].content: must be text or an array of blocks'),
    )
    expect(() => prepareAppend('s1', [hi], {}, context, 10)).toThrow(
      expect.objectContaining({ code: 'too-large' }),
    )
  })
})
