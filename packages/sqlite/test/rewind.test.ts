// A rewind: what stays, what the branch has, and that nothing is lost.

import { describe, expect, test } from 'vitest'
import { allKinds, assistant, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const
const numbered = (count: number) =>
  turns(count).map((message, index) => ({ ...message, id: `m${index + 1}`, createdAt: 100 + index }))

describe.each(allKinds)('$kind', ({ open }) => {
  test.each([
    ['a message', { toMessageId: 'm2' }, [1, 2], [3, 4, 5, 6]],
    ['a seq', { toSeq: 5 }, [1, 2, 3, 4, 5], [6]],
    ['the beginning', { toSeq: 0 }, [], [1, 2, 3, 4, 5, 6]],
  ])('to %s moves the rest to a hidden branch, ids, seqs and times kept', async (_, to, kept, moved) => {
    const { store, clock } = await open()
    await store.messages.append('s', numbered(3), {
      createSession: { name: 'Trip', channelType: 'web', channelKey: 'k', tags: ['t'], ownerId: 'ana' },
    })
    const before = (await store.messages.read('s')).items
    const now = clock.advance(1000)
    const { session, branch } = await store.sessions.rewind('s', to)
    expect(await seqsOf(store, 's')).toEqual(kept)
    expect(session).toMatchObject({
      id: 's',
      version: 2,
      nextSeq: 7,
      messageCount: kept.length,
      preview: kept.length === 0 ? '' : before[kept.length - 1]?.role === 'user' ? 'q3' : 'a1',
      lastActiveAt: Date.UTC(2026, 2, 1, 12),
    })
    expect(branch).toMatchObject({
      type: 'hidden',
      branchOf: 's',
      name: 'Trip',
      ownerId: 'ana',
      channelType: 'web',
      tags: ['t'],
      messageCount: moved.length,
      nextSeq: 7,
      version: 1,
      preview: 'a3',
      createdAt: now,
      tokenCounts: { last: {}, accumulated: {} },
    })
    expect(branch?.channelKey).toBeUndefined()
    const there = (await store.messages.read(branch?.id ?? '')).items
    const here = (await store.messages.read('s')).items
    expect([...here, ...there]).toEqual(
      before.map((message) => (kept.includes(message.seq) ? message : { ...message, sessionId: branch?.id })),
    )
    expect(await store.sessions.get('s')).toEqual(session)
    expect(await store.sessions.get(branch?.id ?? '')).toEqual(branch)
  })

  test('the branch is out of plain lists and found by branchOf', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    const { branch } = await store.sessions.rewind('s', { toSeq: 1 })
    expect((await store.sessions.list()).items.map(({ id }) => id)).toEqual(['s'])
    expect((await store.sessions.list({ branchOf: 's' })).items).toEqual([branch])
  })

  test.each([
    ['the last message', { toMessageId: 'm2' }],
    ['beyond the end', { toSeq: 99 }],
  ])('to %s nothing moves: no branch, nothing changes', async (_, to) => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    const before = await store.sessions.get('s')
    expect(await store.sessions.rewind('s', to)).toEqual({ session: before })
    expect((await store.sessions.list({ types: 'all' })).items).toEqual([before])
  })

  test('twice: each time a branch of its own', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(3), create)
    const first = await store.sessions.rewind('s', { toSeq: 4 })
    const second = await store.sessions.rewind('s', { toSeq: 1 })
    expect(await seqsOf(store, 's')).toEqual([1])
    expect(await seqsOf(store, first.branch?.id ?? '')).toEqual([5, 6])
    expect(await seqsOf(store, second.branch?.id ?? '')).toEqual([2, 3, 4])
    expect((await store.sessions.list({ branchOf: 's' })).items.map(({ id }) => id)).toEqual([
      second.branch?.id,
      first.branch?.id,
    ])
    expect(second.session.version).toBe(3)
    // A branch can be rewound as well.
    const third = await store.sessions.rewind(second.branch?.id ?? '', { toSeq: 3 })
    expect(third.branch).toMatchObject({ branchOf: second.branch?.id, type: 'hidden', messageCount: 1 })
  })

  test('edit and resend: seq goes on, the old question stays in the branch, its id is free again', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(2), create)
    await store.sessions.rewind('s', { toMessageId: 'm2' })
    const { firstSeq, version } = await store.messages.append('s', [user('q2 again', { id: 'm3' })])
    expect([firstSeq, version]).toEqual([5, 3])
    await store.messages.append('s', [assistant('a2 again')])
    expect((await store.messages.read('s')).items.map(({ seq, content }) => [seq, content[0]])).toEqual([
      [1, { type: 'text', text: 'q1' }],
      [2, { type: 'text', text: 'a1' }],
      [5, { type: 'text', text: 'q2 again' }],
      [6, { type: 'text', text: 'a2 again' }],
    ])
    const window = await store.messages.recentTurns('s', { turns: 9, mode: 'text' })
    expect(window.turns).toEqual([
      { seq: 1, interrupted: false },
      { seq: 5, interrupted: false },
    ])
  })

  test('a summary that moves takes its context along; what stays has the messages back', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(2), create)
    await store.messages.compact('s', { throughSeq: 2, summary: user('so far') })
    await store.messages.append('s', turns(1, 3))
    const { session, branch } = await store.sessions.rewind('s', { toSeq: 4 })
    expect(session.context).toEqual({ startSeq: 1 })
    expect(branch?.context).toEqual({ startSeq: 3, summarySeq: 5 })
    const window = await store.messages.recentTurns(branch?.id ?? '', { turns: 9 })
    expect([window.summary?.seq, window.messages.map(({ seq }) => seq)]).toEqual([5, [6, 7]])
  })

  test('an operation tried again after its messages moved answers its receipt, without them', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    const first = await store.messages.append('s', [user('q')], { operationId: 'op' })
    await store.sessions.rewind('s', { toSeq: 0 })
    expect(await store.messages.append('s', [user('q')], { operationId: 'op' })).toEqual({
      ...first,
      messages: [],
    })
  })

  test('goes to the trash and comes back with its session; a fork of it is a live one of its own', async () => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    const { branch } = await store.sessions.rewind('s', { toSeq: 0 })
    const branchId = branch?.id ?? ''
    const fork = await store.sessions.fork(branchId)
    expect(fork).toMatchObject({ type: 'user', messageCount: 2, forkedFrom: { sessionId: branchId, seq: 2 } })
    expect(fork.branchOf).toBeUndefined()
    await store.sessions.remove('s')
    expect((await store.sessions.get(branchId))?.deletedAt).toBeDefined()
    await store.sessions.undelete('s')
    expect((await store.sessions.get(branchId))?.deletedAt).toBeUndefined()
    await store.sessions.remove('s', { purge: true })
    expect(await store.sessions.get(branchId)).toBeUndefined()
    expect((await store.sessions.get(fork.id))?.messageCount).toBe(2)
  })

  test.each([
    ['an unknown session', 'nobody', { toSeq: 0 }, 'not-found'],
    ['one in the trash', 'gone', { toSeq: 0 }, 'not-found'],
    ['an unknown message', 's', { toMessageId: 'nothing' }, 'not-found'],
    ['neither message nor seq', 's', {}, 'invalid'],
    ['both', 's', { toMessageId: 'm1', toSeq: 1 }, 'invalid'],
    ['a seq below 0', 's', { toSeq: -1 }, 'invalid'],
  ])('is refused for %s', async (_, id, to, code) => {
    const { store } = await open()
    await store.messages.append('s', numbered(1), create)
    await store.sessions.create({ id: 'gone' })
    await store.sessions.remove('gone')
    await expect(store.sessions.rewind(id, to)).rejects.toMatchObject({ code, operation: 'sessions.rewind' })
    expect(await seqsOf(store, 's')).toEqual([1, 2])
  })
})
