import { describe, expect, test } from 'vitest'
import type { NewMessage } from '../types/message.ts'
import { operationDigest, prepareMessages } from './messages.ts'

describe('operationDigest', () => {
  const digest = (method: string, messages: readonly NewMessage[], throughSeq?: number) =>
    operationDigest(method, prepareMessages(messages), throughSeq)
  const hi: NewMessage = { role: 'user', content: 'hi' }

  test('is the same for the same messages, however their content was given', () => {
    expect(digest('append', [hi])).toBe(
      digest('append', [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]),
    )
  })

  test.each<[string, string]>([
    ['another method', digest('replace', [hi])],
    ['another throughSeq', digest('append', [hi], 0)],
    ['no message', digest('append', [])],
    ['the message twice', digest('append', [hi, hi])],
    ['another role', digest('append', [{ role: 'assistant', content: 'hi' }])],
    ['another text', digest('append', [{ role: 'user', content: 'hi ' }])],
    [
      'two blocks',
      digest('append', [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'h' },
            { type: 'text', text: 'i' },
          ],
        },
      ]),
    ],
    ['metadata', digest('append', [{ ...hi, metadata: { a: 1 } }])],
    ['an id', digest('append', [{ ...hi, id: 'm1' }])],
    ['a time', digest('append', [{ ...hi, createdAt: 0 }])],
  ])('differs with %s', (_, other) => {
    expect(other).not.toBe(digest('append', [hi]))
  })

  test('depends on the order of messages and of keys', () => {
    const other: NewMessage = { role: 'user', content: 'ho' }
    expect(digest('append', [hi, other])).not.toBe(digest('append', [other, hi]))
    expect(digest('append', [{ ...hi, metadata: { a: 1, b: 2 } }])).not.toBe(
      digest('append', [{ ...hi, metadata: { b: 2, a: 1 } }]),
    )
  })
})
