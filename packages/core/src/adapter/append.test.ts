import { describe, expect, test } from 'vitest'
import { operationDigest, prepareMessages } from '../input/messages.ts'
import { prepareSession } from '../input/sessions.ts'
import type { NewMessage } from '../types/message.ts'
import { type AppendRequest, type AppendState, type NewMessageRow, planAppend } from './append.ts'

const session = { version: 4, nextSeq: 8, lastActiveAt: 900, deletedAt: null }
const trashed = { ...session, deletedAt: 950 }
const fresh = prepareSession({}, 'en')
const hi: NewMessage = { role: 'user', content: 'hi' }
const none: AppendState = { session: undefined, stored: [] }

/** A stored row of text. */
function row(messageId: string, seq: number, text = 'hi'): NewMessageRow {
  return {
    messageId,
    seq,
    role: 'user',
    createdAt: 500,
    metadataJson: '{}',
    contentJson: JSON.stringify([{ type: 'text', text }]),
    turnPart: 1,
    textJson: null,
  }
}

function request(messages: readonly NewMessage[], changes: Partial<AppendRequest> = {}): AppendRequest {
  let made = 0
  return {
    sessionId: 's1',
    messages: prepareMessages(messages),
    createSession: undefined,
    expectedVersion: undefined,
    digest: undefined,
    now: 1000,
    newId: (now) => `new-${now}-${++made}`,
    ...changes,
  }
}

const failure = (code: string, message: string) =>
  expect.objectContaining({ name: 'StoreError', code, message })
const digestOf = (messages: readonly NewMessage[]) => operationDigest('append', prepareMessages(messages))

/** The operation `op` that stored `hi` as seq 7. */
const operation = { digest: digestOf([hi]), version: 3, firstSeq: 7, lastSeq: 7, messages: [row('m7', 7)] }

describe('planAppend checks, in this order,', () => {
  const other: NewMessage = { role: 'user', content: 'other' }
  const taken: NewMessage = { ...other, id: 'm1' }
  const stored = [row('m1', 1)]

  test.each<[string, AppendState, AppendRequest, object]>([
    [
      'the operation: a used id with other messages, whatever else is wrong',
      { ...none, operation },
      request([other], { digest: digestOf([other]), expectedVersion: 9 }),
      failure('conflict', 'the operation id was used before with other messages'),
    ],
    [
      'existence: no session, though another version is expected',
      none,
      request([hi], { expectedVersion: 9 }),
      failure('not-found', 'there is no session "s1"'),
    ],
    [
      'existence: no session, though none is expected',
      none,
      request([hi], { expectedVersion: 0 }),
      failure('not-found', 'there is no session "s1"'),
    ],
    [
      'existence: no session for an empty batch',
      none,
      request([]),
      failure('not-found', 'there is no session "s1"'),
    ],
    [
      'existence: a session in the trash',
      { session: trashed, stored },
      request([taken], { expectedVersion: 9 }),
      failure('not-found', 'there is no session "s1"'),
    ],
    [
      'existence: a session in the trash that is to be created',
      { session: trashed, stored },
      request([taken], { createSession: fresh, expectedVersion: 0 }),
      failure('already-exists', 'session "s1" is in the trash'),
    ],
    [
      'the version: another one, though a message id is taken',
      { session, stored },
      request([taken], { expectedVersion: 3 }),
      failure('conflict', 'session "s1" is at version 4, not 3'),
    ],
    [
      'the version: 0 of a session that exists',
      { session, stored },
      request([hi], { expectedVersion: 0, createSession: fresh }),
      failure('conflict', 'session "s1" exists already, at version 4'),
    ],
    [
      'the version: one of a session that is to be created',
      none,
      request([hi], { expectedVersion: 3, createSession: fresh }),
      failure('conflict', 'session "s1" is at version 0, not 3'),
    ],
    [
      'the version for an empty batch too',
      { session, stored: [] },
      request([], { expectedVersion: 3 }),
      failure('conflict', 'session "s1" is at version 4, not 3'),
    ],
    [
      'message ids: one that is stored with other content',
      { session, stored },
      request([hi, taken], { expectedVersion: 4 }),
      failure('conflict', 'session "s1" has another message of id "m1"'),
    ],
    [
      'message ids: two of one batch with different content',
      { session, stored: [] },
      request([taken, { ...hi, id: 'm1' }]),
      failure('conflict', 'session "s1" has another message of id "m1"'),
    ],
  ])('%s', (_, state, asked, error) => {
    expect(() => planAppend(state, asked)).toThrow(error)
  })

  test.each<[string, Partial<NewMessage>]>([
    ['role', { role: 'assistant' }],
    ['metadata', { metadata: { a: 1 } }],
    ['content', { content: 'hi ' }],
  ])('a message of a stored id differs by its %s', (_, change) => {
    expect(() => planAppend({ session, stored }, request([{ ...hi, id: 'm1', ...change }]))).toThrow(
      failure('conflict', 'session "s1" has another message of id "m1"'),
    )
  })

  test('a message of a stored id does not differ by its time', () => {
    const plan = planAppend({ session, stored }, request([{ ...hi, id: 'm1', createdAt: 1 }]))
    expect(plan.receipt).toMatchObject({ version: 4, messages: [{ id: 'm1', seq: 1, createdAt: 500 }] })
  })
})

describe('planAppend', () => {
  test('places new messages behind the last, with ids and times where none are given', () => {
    const reply: NewMessage = {
      id: 'mine',
      role: 'assistant',
      createdAt: 2000,
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'hello\nthere' },
      ],
      metadata: { model: 'm' },
    }
    const plan = planAppend({ session, stored: [] }, request([hi, reply]))
    expect(plan.write).toEqual({
      create: false,
      rows: [
        { ...row('new-1000-1', 8), createdAt: 1000 },
        {
          messageId: 'mine',
          seq: 9,
          role: 'assistant',
          createdAt: 2000,
          metadataJson: '{"model":"m"}',
          contentJson: '[{"type":"thinking","thinking":"hm"},{"type":"text","text":"hello\\nthere"}]',
          turnPart: 3,
          textJson: '[{"type":"text","text":"hello\\nthere"}]',
        },
      ],
      version: 5,
      nextSeq: 10,
      lastActiveAt: 2000,
      preview: 'hello',
    })
    expect(plan.receipt).toMatchObject({ version: 5, firstSeq: 8, lastSeq: 9 })
    expect(plan.receipt.messages).toEqual([
      expect.objectContaining({
        id: 'new-1000-1',
        sessionId: 's1',
        seq: 8,
        content: [{ type: 'text', text: 'hi' }],
      }),
      expect.objectContaining({ id: 'mine', seq: 9, content: reply.content, metadata: { model: 'm' } }),
    ])
  })

  test('a new session begins with version 1 and seq 1', () => {
    const plan = planAppend(none, request([hi], { createSession: fresh, expectedVersion: 0 }))
    expect(plan.write).toMatchObject({ create: true, version: 1, nextSeq: 2, lastActiveAt: 1000 })
    expect(plan.receipt).toMatchObject({ version: 1, firstSeq: 1, lastSeq: 1 })
  })

  test('createSession does not matter where the session is there', () => {
    const plan = planAppend({ session, stored: [] }, request([hi], { createSession: fresh }))
    expect(plan.write).toMatchObject({ create: false, version: 5 })
  })

  test('an empty batch writes nothing and never creates a session', () => {
    expect(planAppend({ session, stored: [] }, request([]))).toMatchObject({
      receipt: { version: 4, messages: [] },
    })
    const plan = planAppend(none, request([], { createSession: fresh }))
    expect(plan.receipt).toEqual({ version: 0, messages: [] })
    expect(plan.write).toBeUndefined()
  })

  test('the last activity is the latest of what was and what is appended', () => {
    const activity = (state: AppendState, messages: NewMessage[], createSession = fresh) =>
      planAppend(state, request(messages, { createSession })).write?.lastActiveAt
    expect(activity({ session, stored: [] }, [{ ...hi, createdAt: 5 }])).toBe(900)
    expect(
      activity({ session, stored: [] }, [
        { ...hi, createdAt: 950 },
        { ...hi, createdAt: 5 },
      ]),
    ).toBe(950)
    expect(activity(none, [{ ...hi, createdAt: 5 }])).toBe(1000)
    expect(activity(none, [{ ...hi, createdAt: 5 }], prepareSession({ createdAt: 3 }, 'en'))).toBe(5)
  })

  test('the preview stays where nothing that is appended has one', () => {
    const result: NewMessage = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }],
    }
    expect(planAppend({ session, stored: [] }, request([result])).write?.preview).toBeUndefined()
    expect(planAppend({ session, stored: [] }, request([hi, result])).write?.preview).toBe('hi')
  })

  test('skips what is stored with equal content and lists it with its stored seq', () => {
    const state = { session, stored: [row('m2', 2)] }
    const { write, receipt } = planAppend(state, request([{ ...hi, id: 'm2' }, hi, { ...hi, id: 'm2' }]))
    expect(write?.rows.map(({ seq }) => seq)).toEqual([8])
    expect(receipt).toMatchObject({ version: 5, firstSeq: 8, lastSeq: 8 })
    expect(receipt.messages.map(({ seq }) => seq)).toEqual([2, 8, 2])
  })

  test('a batch of what is stored changes no version and has no bounds', () => {
    const plan = planAppend({ session, stored: [row('m2', 2)] }, request([{ ...hi, id: 'm2' }]))
    expect(plan.write).toBeUndefined()
    expect(plan.receipt).toEqual({ version: 4, messages: [expect.objectContaining({ id: 'm2', seq: 2 })] })
  })

  test('an equal message of the same id in one batch is stored once', () => {
    const { write, receipt } = planAppend(
      { session, stored: [] },
      request([
        { ...hi, id: 'a' },
        { ...hi, id: 'a' },
      ]),
    )
    expect(write?.rows).toHaveLength(1)
    expect(receipt.messages.map(({ seq }) => seq)).toEqual([8, 8])
  })

  test('a stored message that is equal and damaged is corrupt', () => {
    const broken = { ...row('m2', 2), role: 'user', contentJson: '[5]' }
    const message = { ...request([{ ...hi, id: 'm2' }]).messages[0], contentJson: '[5]' }
    const asked = { ...request([]), messages: [message as AppendRequest['messages'][number]] }
    expect(() => planAppend({ session, stored: [broken] }, asked)).toThrow(
      failure('corrupt', 'message 2 of session "s1" is damaged: content is not an array of blocks'),
    )
  })
})
