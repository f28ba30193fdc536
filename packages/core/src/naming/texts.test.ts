// Which texts name a conversation, and how little is read to find them.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { MessageRange } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { NewMessage } from '../types/message.ts'
import { openingTexts } from './texts.ts'

const user = (content: NewMessage['content'], metadata?: object): NewMessage => ({
  role: 'user',
  content,
  ...(metadata ? { metadata } : {}),
})
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const step: NewMessage[] = [
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'bash', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
]

async function storeWith(messages: readonly NewMessage[]) {
  const store = createMemoryStore()
  await store.messages.append('s', messages, { createSession: true })
  return store
}

/** The store, and what was asked of `messages.read`; any other method is not there. */
function counted({ messages }: SessionStore) {
  const reads: MessageRange[] = []
  const store = {
    messages: {
      read: (id: string, range: MessageRange = {}) => {
        reads.push(range)
        return messages.read(id, range)
      },
    },
  } as Pick<SessionStore, 'messages'>
  return { store, reads }
}

describe('texts that count', () => {
  test.each<[string, readonly NewMessage[], readonly string[]]>([
    ['none in an empty session', [], []],
    ['the first three', ['a', 'b', 'c', 'd'].map((word) => user(word)), ['a', 'b', 'c']],
    ['fewer where there are fewer', [user('a'), ...step, { role: 'assistant', content: 'x' }], ['a']],
    ['no other role’s', [{ role: 'system', content: 's' }, { role: 'tool', content: 't' }, user('a')], ['a']],
    [
      'not what people do not see',
      [user('hidden', { userVisible: false }), user('a', { agentVisible: false })],
      ['a'],
    ],
    ['text blocks only, joined', [user([text('a'), { type: 'image' }, text(' \n'), text('b')])], ['a\nb']],
    [
      'no images alone, no blanks',
      [user([{ type: 'image' }]), user(' \n\u3000'), user([]), user('a')],
      ['a'],
    ],
    [
      'none beside a tool result',
      [user([...(step[1]?.content ?? []), text('note')] as NewMessage['content']), user('a')],
      ['a'],
    ],
    [
      'blocks for users, where they name an audience',
      [
        user([text('x', { annotations: { audience: ['assistant'] } })]),
        user([
          text('x', { annotations: { audience: [] } }),
          text('a', { annotations: { audience: ['assistant', 'user'] } }),
        ]),
        user([
          text('x', { native: { annotations: { audience: ['assistant'] } } }),
          text('b', { annotations: null }),
        ]),
        user([text('c', { annotations: { audience: 'everyone', priority: 1 } })]),
      ],
      ['a', 'b', 'c'],
    ],
    ['without blanks around them', [user(`${' '.repeat(600)}a\n`)], ['a']],
    [
      '500 code points of each',
      [user('x'.repeat(501)), user('😀'.repeat(501))],
      ['x'.repeat(500), '😀'.repeat(500)],
    ],
    ['no half of an emoji at the end', [user(`${'x'.repeat(498)}👨‍👩‍👧`)], ['x'.repeat(498)]],
    ['well-formed', [user('a\ud83d')], ['a\ufffd']],
  ])('%s', async (_, messages, expected) => {
    expect(await openingTexts(await storeWith(messages), 's')).toEqual(expected)
  })

  test('a summary is not the user’s', async () => {
    const store = await storeWith([user('a'), { role: 'assistant', content: 'x' }])
    await store.messages.compact('s', { throughSeq: 2, summary: user('They talked about a') })
    await store.messages.append('s', [user('b')])
    expect(await openingTexts(store, 's')).toEqual(['a', 'b'])
  })

  test('of a session that does not exist there are none', async () => {
    expect(await openingTexts(createMemoryStore(), 'nobody')).toEqual([])
  })
})

describe('what is read', () => {
  test('is one page where it holds three texts', async () => {
    const { store, reads } = counted(await storeWith(Array(1000).fill(user('a'))))
    expect(await openingTexts(store, 's')).toEqual(['a', 'a', 'a'])
    expect(reads).toEqual([{ limit: 50 }])
  })

  test('ends with the third text', async () => {
    const steps = Array<NewMessage[]>(40).fill(step).flat()
    const { store, reads } = counted(
      await storeWith([user('a'), ...steps, user('b'), ...steps, user('c'), ...steps, ...steps]),
    )
    expect(await openingTexts(store, 's')).toEqual(['a', 'b', 'c'])
    expect(reads).toHaveLength(4)
    expect(reads.slice(1).every(({ limit, cursor }) => limit === 50 && cursor !== undefined)).toBe(true)
  })

  test('ends with the session', async () => {
    const { store, reads } = counted(await storeWith(Array(50).fill(step[1])))
    expect(await openingTexts(store, 's')).toEqual([])
    expect(reads).toHaveLength(1)
  })

  test('ends after 500 rows, whatever follows', async () => {
    const rows = [
      ...Array(499).fill(step[1]),
      user('in time'),
      user('too late'),
      ...Array(9500).fill(step[1]),
    ]
    const { store, reads } = counted(await storeWith(rows))
    expect(await openingTexts(store, 's')).toEqual(['in time'])
    expect(reads).toHaveLength(10)
  })
})
