// A compaction: what its summary is marked with, which ones are refused, how it is tried again, and that people's history
// does not change.

import { describe, expect, test } from 'vitest'
import { allKinds, assistant, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const

describe.each(allKinds)('$kind', ({ open }) => {
  test('a summary is marked with what it stands for and the summaries it builds on', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(3), create)
    const marks = []
    for (const throughSeq of [2, 3, 7]) {
      const { messages } = await store.messages.compact('s', { throughSeq, summary: user('so far') })
      marks.push(messages[0]?.metadata)
    }
    expect(marks).toEqual([
      { summary: { fromSeq: 1, throughSeq: 2, line: [] } },
      { summary: { fromSeq: 1, throughSeq: 3, line: [7] } },
      { summary: { fromSeq: 1, throughSeq: 7, line: [7, 8] } },
    ])
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 8, summarySeq: 9 })
  })

  test('after a reset a summary stands for what came since, and builds on none', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.messages.compact('s', { throughSeq: 2, summary: user('first') })
    await store.sessions.resetContext('s')
    await store.messages.append('s', turns(1, 3))
    const { messages } = await store.messages.compact('s', { throughSeq: 7, summary: user('second') })
    expect(messages[0]?.metadata).toEqual({ summary: { fromSeq: 6, throughSeq: 7, line: [] } })
    await store.messages.remove('s', [messages[0]?.id ?? ''])
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 6 })
  })

  test('the receipt is that of an append, and the summary is kept as it was given', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(1), create)
    const summary = {
      id: 'sum-1',
      role: 'assistant',
      content: [
        { type: 'text', text: 'so far' },
        { type: 'chart', points: [1] },
      ],
      createdAt: 1_772_366_500_000,
      metadata: { model: 'small', userVisible: false },
    } as const
    const receipt = await store.messages.compact('s', { throughSeq: 2, summary })
    const stored = {
      ...summary,
      sessionId: 's',
      seq: 3,
      metadata: { ...summary.metadata, summary: { fromSeq: 1, throughSeq: 2, line: [] } },
    }
    expect(receipt).toEqual({ version: 2, firstSeq: 3, lastSeq: 3, messages: [stored] })
    expect(await store.messages.get('s', 'sum-1')).toEqual(stored)
    expect(await store.sessions.get('s')).toMatchObject({
      version: 2,
      nextSeq: 4,
      messageCount: 3,
      lastActiveAt: 1_772_366_500_000,
      preview: 'a1',
    })
  })

  test.each([
    ['an empty session', 0, 0, 'the context is empty'],
    ['below the start', 4, 0, 'must be from 1'],
    ['at the next seq', 4, 5, 'to 4, the last message'],
    ['far beyond', 4, 1_000_000, 'to 4, the last message'],
  ])('bounds: %s is invalid and changes nothing', async (_, count, throughSeq, message) => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    if (count > 0) await store.messages.append('s', turns(count / 2))
    const before = await store.sessions.get('s')
    await expect(store.messages.compact('s', { throughSeq, summary: user('x') })).rejects.toMatchObject({
      code: 'invalid',
      operation: 'messages.compact',
      message: expect.stringContaining(message),
    })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('bounds are those of seqs, whether or not messages are still there', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.messages.truncate('s', { fromSeq: 3 })
    const { firstSeq } = await store.messages.compact('s', { throughSeq: 4, summary: user('so far') })
    expect(firstSeq).toBe(5)
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 5, summarySeq: 5 })
  })

  test('an operation tried again answers the first receipt and stores nothing', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    const options = { throughSeq: 2, summary: user('so far'), operationId: 'op' }
    const first = await store.messages.compact('s', options)
    const after = await store.sessions.get('s')
    expect(await store.messages.compact('s', options)).toEqual(first)
    // Whatever the version is now, and although the bounds no longer hold.
    await store.messages.append('s', turns(1, 3))
    expect(await store.messages.compact('s', { ...options, expectedVersion: 77 })).toEqual(first)
    expect((await store.sessions.get('s'))?.context).toEqual(after?.context)
    expect(await seqsOf(store, 's')).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test.each([
    ['another summary', { summary: user('else') }],
    ['another bound', { throughSeq: 3 }],
  ])('an operation id with %s is a conflict', async (_, other) => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    const options = { throughSeq: 2, summary: user('so far'), operationId: 'op' }
    await store.messages.compact('s', options)
    await expect(store.messages.compact('s', { ...options, ...other })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(store.messages.append('s', [user('so far')], { operationId: 'op' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('expectedVersion that does not hold is a conflict, also before the bounds are looked at', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(1), create)
    const compact = (throughSeq: number, expectedVersion: number) =>
      store.messages.compact('s', { throughSeq, summary: user('x'), expectedVersion })
    await expect(compact(2, 2)).rejects.toMatchObject({ code: 'conflict' })
    await expect(compact(99, 2)).rejects.toMatchObject({ code: 'conflict' })
    await expect(compact(99, 1)).rejects.toMatchObject({ code: 'invalid' })
    expect((await compact(2, 1)).version).toBe(2)
  })

  test('an unknown session and one in the trash are not found', async () => {
    const { store } = await open()
    const compact = () => store.messages.compact('s', { throughSeq: 1, summary: user('x') })
    await expect(compact()).rejects.toMatchObject({ code: 'not-found', operation: 'messages.compact' })
    await store.messages.append('s', turns(1), create)
    await store.sessions.remove('s')
    await expect(compact()).rejects.toMatchObject({ code: 'not-found' })
  })

  test('a message id that is taken is a conflict, also by a summary of an import that is not current', async () => {
    const { store } = await open()
    const summary = { fromSeq: 1, throughSeq: 2, line: [] }
    await store.sessions.import({ id: 's', nextSeq: 4 }, [
      user('q1', { id: 'q' }),
      assistant('a1'),
      user('so far', { id: 'sum', metadata: { summary } }),
    ])
    for (const [id, content] of [
      ['q', 'so far'],
      ['sum', 'else'],
      ['sum', 'so far'],
    ] as const) {
      await expect(
        store.messages.compact('s', { throughSeq: 2, summary: user(content, { id }) }),
      ).rejects.toMatchObject({ code: 'conflict', operation: 'messages.compact' })
    }
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 1 })
  })

  test('a summary is refused where the agent would not see it', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(1), create)
    const summary = user('x', { metadata: { agentVisible: false } })
    await expect(store.messages.compact('s', { throughSeq: 2, summary })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('options.summary.metadata.agentVisible'),
    })
  })

  test('metadata.summary of a caller is refused everywhere but in an import', async () => {
    const { store } = await open()
    await store.messages.append('s', [user('q', { id: 'q' })], create)
    const mark = { summary: { fromSeq: 1, throughSeq: 1, line: [] } }
    const marked = user('x', { metadata: mark })
    const refused = { code: 'invalid', message: expect.stringContaining('metadata.summary') }
    await expect(store.messages.append('s', [marked])).rejects.toMatchObject(refused)
    await expect(store.messages.replace('s', [marked])).rejects.toMatchObject(refused)
    await expect(store.messages.update('s', 'q', { metadata: mark })).rejects.toMatchObject(refused)
    await expect(store.messages.compact('s', { throughSeq: 1, summary: marked })).rejects.toMatchObject(
      refused,
    )
    const imported = await store.sessions.import({ id: 'i', context: { startSeq: 2, summarySeq: 2 } }, [
      user('q'),
      marked,
    ])
    expect(imported.session.context).toEqual({ startSeq: 2, summarySeq: 2 })
  })

  test('people read everything as before, the summary where it was made', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    const before = (await store.messages.read('s')).items
    await store.messages.compact('s', { throughSeq: 3, summary: user('so far') })
    const { items } = await store.messages.read('s')
    expect(items.slice(0, 4)).toEqual(before)
    expect(items.slice(4).map(({ content }) => content)).toEqual([[{ type: 'text', text: 'so far' }]])
    const everything = await store.messages.recentTurns('s', { turns: 9, scope: 'all' })
    expect(everything.messages).toEqual(before)
    expect(everything.summary).toBeUndefined()
  })

  test('an updated summary stays one: its mark is kept, and it cannot be hidden from the agent', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.messages.compact('s', { throughSeq: 2, summary: user('so far', { id: 'sum' }) })
    const mark = { fromSeq: 1, throughSeq: 2, line: [] }
    expect((await store.messages.update('s', 'sum', { content: 'shorter' })).metadata).toEqual({
      summary: mark,
    })
    const edited = await store.messages.update('s', 'sum', { metadata: { note: 1, userVisible: false } })
    expect(edited.metadata).toEqual({ note: 1, userVisible: false, summary: mark })
    await expect(
      store.messages.update('s', 'sum', { metadata: { agentVisible: false } }),
    ).rejects.toMatchObject({ code: 'invalid' })
    const window = await store.messages.recentTurns('s', { turns: 9, mode: 'text' })
    expect(window.summary).toEqual(edited)
    expect(window.messages.map(({ seq }) => seq)).toEqual([3, 4])
  })
})
