import { describe, expect, test } from 'vitest'
import { operationDigest, prepareMessages } from '../input/messages.ts'
import { prepareSession } from '../input/sessions.ts'
import type { NewMessage } from '../types/message.ts'
import { type AppendState, planAppend } from './append.ts'
import type { MessageRecord } from './records.ts'

const session = { version: 9, nextSeq: 20, lastActiveAt: 900, deletedAt: null }

function row(messageId: string, seq: number, text: string): MessageRecord {
  const contentJson = JSON.stringify([{ type: 'text', text }])
  return { messageId, seq, role: 'user', createdAt: 500, metadataJson: '{}', contentJson }
}

const says = (text: string, id?: string): NewMessage => ({ role: 'user', content: text, ...(id && { id }) })

/** The same append again: the operation stored `rows` as version 5. */
function again(
  messages: readonly NewMessage[],
  rows: readonly MessageRecord[],
  state: Partial<AppendState> = {},
  bounds: { firstSeq: number | null; lastSeq: number | null } = { firstSeq: 7, lastSeq: 8 },
) {
  const prepared = prepareMessages(messages)
  const digest = operationDigest('append', prepared)
  return planAppend(
    { session, stored: [], operation: { digest, version: 5, ...bounds, messages: rows }, ...state },
    {
      sessionId: 's1',
      messages: prepared,
      createSession: undefined,
      expectedVersion: 4,
      digest,
      now: 1000,
      newId: () => 'never',
    },
  )
}

describe('an append with an operation id that is known', () => {
  const batch = [says('one'), says('two')]
  const rows = [row('m7', 7, 'one'), row('m8', 8, 'two')]

  test('answers the first receipt again, whatever the version is now, and writes nothing', () => {
    const plan = again(batch, rows)
    expect(plan.write).toBeUndefined()
    expect(plan.receipt).toMatchObject({ version: 5, firstSeq: 7, lastSeq: 8 })
    expect(plan.receipt.messages.map(({ id, seq }) => [id, seq])).toEqual([
      ['m7', 7],
      ['m8', 8],
    ])
  })

  test('answers its messages as far as they still exist', () => {
    expect(again(batch, []).receipt).toEqual({ version: 5, firstSeq: 7, lastSeq: 8, messages: [] })
    expect(again(batch, [row('m8', 8, 'two')]).receipt.messages.map(({ id }) => id)).toEqual(['m8'])
  })

  test('answers in the order given, also what was stored before it', () => {
    const given = [says('two', 'b'), says('old', 'a'), says('three')]
    const receipt = again(given, [row('b', 7, 'two'), row('m8', 8, 'three')], {
      stored: [row('a', 2, 'old')],
    }).receipt
    expect(receipt.messages.map(({ id, seq }) => [id, seq])).toEqual([
      ['b', 7],
      ['a', 2],
      ['m8', 8],
    ])
  })

  test('has no bounds where it stored nothing', () => {
    const receipt = again(
      [says('old', 'a')],
      [],
      { stored: [row('a', 2, 'old')] },
      { firstSeq: null, lastSeq: null },
    ).receipt
    expect(receipt).toEqual({ version: 5, messages: [expect.objectContaining({ id: 'a', seq: 2 })] })
  })

  test('leaves out a message that cannot be read', () => {
    const broken = { ...row('m7', 7, 'one'), contentJson: '{' }
    expect(again(batch, [broken, row('m8', 8, 'two')]).receipt.messages.map(({ id }) => id)).toEqual(['m8'])
  })
})

describe('an operation id is remembered', () => {
  const asked = (messages: readonly NewMessage[], withId: boolean) => ({
    sessionId: 's1',
    messages: prepareMessages(messages),
    createSession: prepareSession({}, 'en'),
    expectedVersion: undefined,
    digest: withId ? 'd' : undefined,
    now: 1000,
    newId: () => 'new',
  })

  test.each<[string, AppendState['session'], readonly NewMessage[], boolean, boolean]>([
    ['with new messages', session, [says('one')], true, true],
    ['with what is stored already', session, [says('old', 'a')], true, true],
    ['with an empty batch', session, [], true, true],
    ['with a session it creates', undefined, [says('one')], true, true],
    ['but not where no session is', undefined, [], true, false],
    ['and not where none is given', session, [says('one')], false, false],
  ])('%s', (_, before, messages, withId, expected) => {
    const state = { session: before, stored: before ? [row('a', 2, 'old')] : [] }
    expect(planAppend(state, asked(messages, withId)).remember).toBe(expected)
  })
})
