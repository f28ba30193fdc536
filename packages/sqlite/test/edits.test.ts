// Messages changed and taken away: what that does to counters, and to the line a list shows.

import type { SessionStore } from '@sess/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allKinds, assistant, bothKinds, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const
const numbered = (count: number) =>
  turns(count).map((message, index) => ({ ...message, id: `m${index + 1}` }))
const toolUse = { type: 'tool_use', id: 'u', name: 'bash', input: { text: 'not this' } } as const
const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const

type Change = (store: SessionStore) => Promise<unknown>

describe.each(allKinds)('counters, $kind', ({ open }) => {
  test.each<[string, Change, unknown, number[], object]>([
    ['remove two', ({ messages }) => messages.remove('s', ['m2', 'm3']), 2, [1, 4], { preview: 'a2' }],
    ['remove the last', ({ messages }) => messages.remove('s', ['m4']), 1, [1, 2, 3], { preview: 'q2' }],
    [
      'remove with unknown and repeated ids',
      ({ messages }) => messages.remove('s', ['m4', 'nothing', 'm4']),
      1,
      [1, 2, 3],
      { preview: 'q2' },
    ],
    ['truncate by seq', ({ messages }) => messages.truncate('s', { fromSeq: 2 }), 3, [1], { preview: 'q1' }],
    [
      'truncate by message',
      ({ messages }) => messages.truncate('s', { fromMessageId: 'm3' }),
      2,
      [1, 2],
      { preview: 'a1' },
    ],
    ['truncate everything', ({ messages }) => messages.truncate('s', { fromSeq: 0 }), 4, [], { preview: '' }],
    ['clear', ({ messages }) => messages.clear('s'), 4, [], { preview: '', context: { startSeq: 5 } }],
  ])('%s', async (_, change, answer, left, fields) => {
    const { store, clock } = await open()
    await store.messages.append('s', numbered(2), create)
    const before = await store.sessions.get('s')
    const now = clock.advance(1000)
    expect(await change(store)).toBe(answer)
    expect(await seqsOf(store, 's')).toEqual(left)
    const after = await store.sessions.get('s')
    expect(after).toEqual({
      ...before,
      version: 2,
      changeSeq: (before?.changeSeq ?? 0) + 1,
      updatedAt: now,
      messageCount: left.length,
      ...fields,
    })
    // A seq is never used again.
    expect((await store.messages.append('s', [user('next')])).firstSeq).toBe(5)
  })

  test.each<[string, Change, unknown]>([
    ['remove nothing', ({ messages }) => messages.remove('s', []), 0],
    ['remove unknown ids', ({ messages }) => messages.remove('s', ['nothing']), 0],
    ['truncate behind the end', ({ messages }) => messages.truncate('s', { fromSeq: 5 }), 0],
    [
      'an empty update',
      ({ messages }) => messages.update('s', 'm1', {}),
      expect.objectContaining({ seq: 1 }),
    ],
  ])('%s changes nothing', async (_, change, answer) => {
    const { store, clock } = await open()
    await store.messages.append('s', numbered(2), create)
    const before = await store.sessions.get('s')
    clock.advance(1000)
    expect(await change(store)).toEqual(answer)
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('clear of an empty session changes nothing', async () => {
    const { store } = await open()
    const before = await store.sessions.create({ id: 's' })
    expect(await store.messages.clear('s')).toBe(0)
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('replace keeps nothing, begins the context anew, and may use ids that were there', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(2), create)
    const receipt = await store.messages.replace('s', [user('new', { id: 'm1' }), assistant('answer')])
    expect(receipt).toMatchObject({ version: 2, firstSeq: 5, lastSeq: 6 })
    expect(receipt.messages.map(({ id, seq }) => [id, seq])).toEqual([
      ['m1', 5],
      [expect.any(String), 6],
    ])
    expect(await store.sessions.get('s')).toMatchObject({
      messageCount: 2,
      nextSeq: 7,
      preview: 'answer',
      context: { startSeq: 5 },
    })
    expect(await store.messages.replace('s', [])).toEqual({ version: 3, messages: [] })
    expect(await store.sessions.get('s')).toMatchObject({
      messageCount: 0,
      nextSeq: 7,
      preview: '',
      context: { startSeq: 7 },
    })
  })

  test('a replacement tried again answers the first receipt; another version or content is a conflict', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    const batch = [user('new')]
    const first = await store.messages.replace('s', batch, { operationId: 'op', expectedVersion: 1 })
    expect(await store.messages.replace('s', batch, { operationId: 'op', expectedVersion: 1 })).toEqual(first)
    expect(await seqsOf(store, 's')).toEqual([3])
    const other = store.messages.replace('s', [user('other')], { operationId: 'op' })
    await expect(other).rejects.toMatchObject({ code: 'conflict', operation: 'messages.replace' })
    const stale = store.messages.replace('s', batch, { expectedVersion: 1 })
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
    expect(await seqsOf(store, 's')).toEqual([3])
  })

  test('update changes one message in place: id, seq, role and time stay', async () => {
    const { store, clock } = await open()
    await store.messages.append('s', [user('q', { id: 'm', createdAt: 7, metadata: { k: 1 } })], create)
    clock.advance(1000)
    const content = [{ type: 'text', text: 'changed' }, image] as const
    const expected = { id: 'm', sessionId: 's', seq: 1, role: 'user', createdAt: 7, content }
    expect(await store.messages.update('s', 'm', { content })).toEqual({ ...expected, metadata: { k: 1 } })
    expect(await store.messages.update('s', 'm', { metadata: { l: 2 } })).toEqual({
      ...expected,
      metadata: { l: 2 },
    })
    expect(await store.messages.get('s', 'm')).toEqual({ ...expected, metadata: { l: 2 } })
    expect(await store.sessions.get('s')).toMatchObject({ version: 3, messageCount: 1, nextSeq: 2 })
  })

  test.each<[string, Change, string]>([
    [
      'update of an unknown message',
      ({ messages }) => messages.update('s', 'x', { content: 'y' }),
      'not-found',
    ],
    [
      'update in an unknown session',
      ({ messages }) => messages.update('n', 'x', { content: 'y' }),
      'not-found',
    ],
    [
      'update to no content',
      ({ messages }) => messages.update('s', 'm1', { content: 5 as never }),
      'invalid',
    ],
    [
      'update of the role',
      ({ messages }) => messages.update('s', 'm1', { role: 'user' } as object),
      'invalid',
    ],
    ['remove in an unknown session', ({ messages }) => messages.remove('n', ['m1']), 'not-found'],
    [
      'truncate from an unknown message',
      ({ messages }) => messages.truncate('s', { fromMessageId: 'x' }),
      'not-found',
    ],
    ['truncate from nowhere', ({ messages }) => messages.truncate('s', {}), 'invalid'],
    [
      'truncate from two places',
      ({ messages }) => messages.truncate('s', { fromSeq: 1, fromMessageId: 'm1' }),
      'invalid',
    ],
    ['clear of an unknown session', ({ messages }) => messages.clear('n'), 'not-found'],
    ['replace of an unknown session', ({ messages }) => messages.replace('n', []), 'not-found'],
    ['clear in the trash', ({ messages }) => messages.clear('gone'), 'not-found'],
  ])('%s is refused', async (_, change, code) => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    await store.messages.append('gone', numbered(1), create)
    await store.sessions.remove('gone')
    const before = [await store.sessions.get('s'), await store.messages.read('s')]
    await expect(change(store)).rejects.toMatchObject({ code })
    expect([await store.sessions.get('s'), await store.messages.read('s')]).toEqual(before)
  })
})

describe.each(allKinds)('the preview, $kind', ({ open }) => {
  test.each([
    ['a text', user('newest'), 'newest'],
    ['the first line that is not blank', user('\n  \n\t next \nrest'), 'next'],
    ['a text that people cannot see', user('secret', { metadata: { userVisible: false } }), 'older'],
    ['a text that only people see', user('note', { metadata: { agentVisible: false } }), 'note'],
    ['blanks', user(' \n\u00a0\u3000\ufeff\u2003'), 'older'],
    ['control characters alone', user('\u0001\u0085\u0000\u007f'), 'older'],
    ['control characters before a text', user('\u0000\u0001 x'), 'x'],
    ['a backslash and what looks like an escape', user('\\u0000'), '\\u0000'],
    ['half a surrogate pair', user('\ud800'), '\ufffd'],
    ['no content', user([]), 'older'],
    ['an image', user([image]), 'older'],
    ['an image with a text behind', user([image, { type: 'text', text: 'look' }]), 'look'],
    ['a tool call', assistant([toolUse]), 'older'],
    ['a text beside a tool call', assistant([{ type: 'text', text: 'I look' }, toolUse]), 'I look'],
    ['a tool result', { role: 'tool', content: 'out' } as const, 'older'],
    ['a system text', { role: 'system', content: 'rules' } as const, 'older'],
    ['a text of 200 emoji', user('😀'.repeat(200)), '😀'.repeat(128)],
  ])('where the newest message that is left is %s', async (_, newest, preview) => {
    const { store } = await open()
    await store.messages.append('s', [user('older'), newest, user('gone', { id: 'gone' })], create)
    const shown = async () => (await store.sessions.get('s'))?.preview
    await store.messages.remove('s', ['gone'])
    expect(await shown()).toBe(preview)
    // The same from every other way to come to it.
    expect((await store.sessions.fork('s')).preview).toBe(preview)
    await store.messages.append('s', [user('later', { id: 'later' })])
    await store.messages.update('s', 'later', { metadata: { userVisible: false } })
    expect(await shown()).toBe(preview)
    expect((await store.sessions.rewind('s', { toSeq: 2 })).session.preview).toBe(preview)
    await store.messages.update('s', (await store.messages.read('s')).items[0]?.id ?? '', { content: 'OLD' })
    expect(await shown()).toBe(preview === 'older' ? 'OLD' : preview)
  })

  test('an older message that is changed does not become it', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(2), create)
    await store.messages.update('s', 'm1', { content: 'changed' })
    expect((await store.sessions.get('s'))?.preview).toBe('a2')
    await store.messages.update('s', 'm4', { content: [toolUse] })
    expect((await store.sessions.get('s'))?.preview).toBe('q2')
    await store.messages.update('s', 'm4', { content: 'back' })
    expect((await store.sessions.get('s'))?.preview).toBe('back')
  })
})

test('both stores show the same line of any texts', async () => {
  const blank = fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '\u0000',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
  )
  const text = fc.array(
    fc.oneof({ weight: 6, arbitrary: blank }, fc.constantFrom('a', '\\', '"', '字', '\ud800', '\u200b')),
    {
      maxLength: 6,
    },
  )
  const texts = fc.array(
    text.map((parts) => parts.join('')),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const shown = []
      for (const { open } of bothKinds) {
        const { store } = await open()
        await store.messages.append(
          's',
          [...given.map((one) => user(one)), user('gone', { id: 'gone' })],
          create,
        )
        await store.messages.remove('s', ['gone'])
        shown.push((await store.sessions.get('s'))?.preview)
        await store.close()
      }
      expect(shown[1]).toBe(shown[0])
    }),
    { numRuns: 100 },
  )
})
