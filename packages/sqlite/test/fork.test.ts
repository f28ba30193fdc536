// A fork: which messages come along, what of the session does, and that the source is not touched.

import { describe, expect, test } from 'vitest'
import { allKinds, assistant, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const

describe.each(allKinds)('$kind', ({ open }) => {
  test('whole: the same messages under new ids, seqs and times kept', async () => {
    const { store, clock } = await open()
    await store.messages.append(
      's',
      [user('q1', { id: 'a', createdAt: 5, metadata: { k: 1 } }), assistant([{ type: 'x', y: [] }])],
      create,
    )
    const original = (await store.messages.read('s')).items
    clock.advance(1000)
    const fork = await store.sessions.fork('s')
    expect((await store.messages.read(fork.id)).items).toEqual(
      original.map((message) => ({ ...message, sessionId: fork.id, id: `${fork.id}:${message.seq}` })),
    )
    expect(await store.messages.get(fork.id, `${fork.id}:1`)).toMatchObject({ seq: 1, createdAt: 5 })
    expect(await store.messages.get(fork.id, 'a')).toBeUndefined()
  })

  test.each([
    ['a message in the middle', { atMessageId: 'm2' }, 2, [1, 2], 'a1'],
    ['the last message', { atMessageId: 'm6' }, 6, [1, 2, 5, 6], 'a3'],
    ['a seq', { atSeq: 5 }, 5, [1, 2, 5], 'q3'],
    ['a seq that is gone', { atSeq: 3 }, 3, [1, 2], 'a1'],
    ['nothing', { atSeq: 0 }, 0, [], ''],
    ['beyond the end', { atSeq: 1000 }, 6, [1, 2, 5, 6], 'a3'],
    ['the whole', {}, 6, [1, 2, 5, 6], 'a3'],
  ])('through %s', async (_, options, at, seqs, preview) => {
    const { store } = await open()
    await store.messages.append(
      's',
      turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` })),
      create,
    )
    await store.messages.remove('s', ['m3', 'm4'])
    const fork = await store.sessions.fork('s', options)
    expect(await seqsOf(store, fork.id)).toEqual(seqs)
    expect(fork).toMatchObject({
      forkedFrom: { sessionId: 's', seq: at },
      messageCount: seqs.length,
      nextSeq: at + 1,
      preview,
      version: 1,
      context: { startSeq: 1 },
    })
    // Seq goes on after the point of the fork.
    expect((await store.messages.append(fork.id, [user('next')])).firstSeq).toBe(at + 1)
  })

  test('takes along owner, place, channel, model, data and tags; not the chat, parent, pin, archive or usage', async () => {
    const { store, clock } = await open()
    await store.sessions.create({ id: 'parent' })
    await store.sessions.import(
      {
        id: 's',
        name: 'Trip',
        nameSource: 'auto',
        type: 'gateway',
        ownerId: 'ana',
        workingDir: '/work',
        channelType: 'telegram',
        channelKey: '42',
        parentSessionId: 'parent',
        providerName: 'acme',
        modelConfig: { model: 'm' },
        mode: 'auto',
        extensionData: { todo: [1] },
        metadata: { project: 'p' },
        tags: ['y', 'x'],
        createdAt: 7,
        source: { agent: 'goose', sessionId: 'g1', digest: '' },
        forkedFrom: { sessionId: 'other', seq: 9 },
        branchOf: 'parent',
        tokenCounts: { last: { input: 1 }, accumulated: { input: 5 } },
        pinned: true,
        archivedAt: 8,
      },
      [user('hello', { createdAt: 9 })],
    )
    const now = clock.advance(60_000)
    const fork = await store.sessions.fork('s')
    expect(fork).toEqual({
      id: '20260301_1',
      name: 'Trip (copy)',
      nameSource: 'auto',
      type: 'gateway',
      ownerId: 'ana',
      workingDir: '/work',
      channelType: 'telegram',
      providerName: 'acme',
      modelConfig: { model: 'm' },
      mode: 'auto',
      extensionData: { todo: [1] },
      metadata: { project: 'p' },
      tags: ['x', 'y'],
      forkedFrom: { sessionId: 's', seq: 1 },
      tokenCounts: { last: {}, accumulated: {} },
      pinned: false,
      createdAt: now,
      updatedAt: now,
      lastActiveAt: now,
      messageCount: 1,
      nextSeq: 2,
      preview: 'hello',
      context: { startSeq: 1 },
      version: 1,
      changeSeq: 3,
    })
    expect(await store.sessions.get(fork.id)).toEqual(fork)
    expect((await store.sessions.list({ tags: ['x', 'y'] })).items.map(({ id }) => id)).toEqual([fork.id])
  })

  test('the source is not touched, and what happens to one is nothing to the other', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.sessions.addUsage('s', { input: 3 })
    const before = [await store.sessions.get('s'), await store.messages.read('s')]
    const fork = await store.sessions.fork('s', { id: 'f', atSeq: 3 })
    await store.messages.clear('f')
    await store.sessions.update('f', { name: 'other', tags: ['t'] })
    expect([await store.sessions.get('s'), await store.messages.read('s')]).toEqual(before)
    await store.sessions.remove('s', { purge: true })
    expect((await store.sessions.get('f'))?.forkedFrom).toEqual({ sessionId: 's', seq: 3 })
    expect(fork.tokenCounts).toEqual({ last: {}, accumulated: {} })
  })

  test('operations are the source’s own', async () => {
    const { store } = await open()
    await store.messages.append('s', [user('q')], { ...create, operationId: 'op' })
    const fork = await store.sessions.fork('s', { id: 'f' })
    const receipt = await store.messages.append('f', [user('q')], { operationId: 'op' })
    expect(receipt).toMatchObject({ firstSeq: 2, lastSeq: 2, version: 2 })
    expect(fork.messageCount).toBe(1)
  })

  test('a fork of a fork names the one it came from', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.sessions.fork('s', { id: 'f' })
    await store.messages.append('f', turns(1, 3))
    const second = await store.sessions.fork('f', { id: 'g', atSeq: 5 })
    expect(second).toMatchObject({
      forkedFrom: { sessionId: 'f', seq: 5 },
      name: 'New session (copy) (copy)',
      messageCount: 5,
    })
    expect((await store.messages.read('g')).items.map(({ id }) => id)).toEqual([
      'g:1',
      'g:2',
      'g:3',
      'g:4',
      'g:5',
    ])
  })

  test('a reset holds in the fork: what was before it is not the agent’s, what comes next is', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.sessions.resetContext('s')
    await store.messages.append('s', turns(1, 3))
    expect((await store.sessions.fork('s')).context).toEqual({ startSeq: 5 })
    const early = await store.sessions.fork('s', { atSeq: 2, id: 'f' })
    expect(early.context).toEqual({ startSeq: 3 })
    await store.messages.append('f', [user('next')])
    expect((await store.messages.recentTurns('f', { turns: 9 })).messages.map(({ seq }) => seq)).toEqual([3])
  })

  test('a summary comes along with the context it makes, or gives back what it stood for', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(2), create)
    await store.messages.compact('s', { throughSeq: 2, summary: user('so far') })
    expect((await store.sessions.fork('s')).context).toEqual({ startSeq: 3, summarySeq: 5 })
    expect((await store.sessions.fork('s', { atSeq: 4 })).context).toEqual({ startSeq: 1 })
  })

  test.each([
    ['sub_agent', 'user'],
    ['hidden', 'user'],
    ['scheduled', 'scheduled'],
    ['acp', 'acp'],
  ] as const)('of a session of type %s it is one of type %s', async (type, expected) => {
    const { store } = await open()
    await store.sessions.create({ id: 's', type, parentSessionId: 'p' })
    const fork = await store.sessions.fork('s', { id: 'f' })
    expect([fork.type, fork.parentSessionId]).toEqual([expected, undefined])
  })

  test('of one in the trash or the archive it is a live one', async () => {
    const { store } = await open()
    await store.messages.append('s', turns(1), create)
    await store.sessions.update('s', { archived: true, pinned: true })
    await store.sessions.remove('s')
    const fork = await store.sessions.fork('s', { id: 'f' })
    expect([fork.archivedAt, fork.deletedAt, fork.pinned, fork.messageCount]).toEqual([
      undefined,
      undefined,
      false,
      2,
    ])
    expect((await store.messages.append('f', [user('more')])).firstSeq).toBe(3)
  })

  test.each([
    ['an unknown session', 'nobody', {}, 'not-found'],
    ['an unknown message', 's', { atMessageId: 'nothing' }, 'not-found'],
    ['an id that is taken', 's', { id: 's' }, 'already-exists'],
    ['an id in the trash', 's', { id: 'gone' }, 'already-exists'],
    ['a message and a seq', 's', { atMessageId: 'm', atSeq: 1 }, 'invalid'],
    ['a seq below 0', 's', { atSeq: -1 }, 'invalid'],
    ['half a seq', 's', { atSeq: 0.5 }, 'invalid'],
    ['an id that is none', 's', { id: '..' }, 'invalid'],
    ['an empty name', 's', { name: '' }, 'invalid'],
    ['an unknown option', 's', { at: 1 } as object, 'invalid'],
  ])('is refused for %s', async (_, id, options, code) => {
    const { store } = await open()
    await store.messages.append('s', [user('q', { id: 'm' })], create)
    await store.sessions.create({ id: 'gone' })
    await store.sessions.remove('gone')
    await expect(store.sessions.fork(id, options)).rejects.toMatchObject({
      code,
      operation: 'sessions.fork',
    })
    expect((await store.sessions.list()).items.map((session) => session.id)).toEqual(['s'])
  })
})

describe.each(allKinds)('names of forks, $kind', ({ open }) => {
  test.each([
    ['en', 'Trip', 'Trip (copy)'],
    ['zh', '旅行', '旅行 (副本)'],
    ['en', '😀'.repeat(500), `${'😀'.repeat(493)} (copy)`],
    ['zh', '字'.repeat(500), `${'字'.repeat(495)} (副本)`],
    ['en', 'a'.repeat(493), `${'a'.repeat(493)} (copy)`],
    ['en', 'a'.repeat(494), `${'a'.repeat(493)} (copy)`],
  ] as const)('%s', async (locale, name, expected) => {
    const { store } = await open({ locale })
    await store.sessions.create({ id: 's', name })
    const fork = await store.sessions.fork('s')
    expect([fork.name, fork.nameSource]).toEqual([expected, 'user'])
    expect([...fork.name].length).toBeLessThanOrEqual(500)
    // It can be found by the name it has now.
    expect((await store.sessions.list({ nameContains: expected })).items.map(({ id }) => id)).toEqual([
      fork.id,
    ])
  })

  test('a name that is given is the user’s and taken as it is; a default name stays a default one', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    expect(await store.sessions.fork('s', { name: 'Mine' })).toMatchObject({
      name: 'Mine',
      nameSource: 'user',
    })
    expect(await store.sessions.fork('s')).toMatchObject({
      name: 'New session (copy)',
      nameSource: 'default',
    })
  })
})
