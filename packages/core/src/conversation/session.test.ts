// When the session of a conversation is made, and when one that was left empty is purged.

import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { SessionStore } from '../port/store.ts'
import { type ConversationOptions, openConversation } from './open.ts'

const answer = [{ role: 'assistant' as const, content: 'hello' }]
const current = { channelType: 'cli', channelKey: 'k' }

describe('what is persisted before the first question', () => {
  test('makes the session with what it was given', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's', create: { tags: ['x'] } })
    expect((await conversation.persist(answer))?.messages.map(({ seq }) => seq)).toEqual([1])
    expect(await store.sessions.get('s')).toMatchObject({ tags: ['x'], messageCount: 1 })
    await store.sessions.remove('s', { purge: true })
    expect(await conversation.persist(answer)).toBeUndefined()
    expect(await store.sessions.get('s')).toBeUndefined()
  })

  test('of a session that was there and is gone now is not kept', async () => {
    const store = createMemoryStore()
    for (const options of [{ id: 's' }, {}, { current }]) {
      if (options.id !== undefined) await store.sessions.create({ id: options.id })
      const conversation = await openConversation(store, options)
      await store.sessions.remove(conversation.id, { purge: true })
      expect(await conversation.persist(answer)).toBeUndefined()
      expect(await store.sessions.get(conversation.id)).toBeUndefined()
    }
  })

  test('makes none of nothing, and one of what comes then', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.persist([])
    await conversation.persist([{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }])
    expect(await store.sessions.get('s')).toBeUndefined()
    await conversation.persist(answer)
    expect((await store.sessions.get('s'))?.messageCount).toBe(1)
  })

  test('makes one anew that finish purged', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store)
    await conversation.finish()
    expect(await store.sessions.get(conversation.id)).toBeUndefined()
    await conversation.persist(answer)
    expect((await store.sessions.get(conversation.id))?.messageCount).toBe(1)
  })
})

describe('a session that was left empty', () => {
  type Prepare = (store: SessionStore, id: string) => Promise<unknown>
  const isKept = async (options: ConversationOptions, prepare: Prepare = async () => {}) => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, options)
    await prepare(store, conversation.id)
    await conversation.finish()
    return (await store.sessions.get(conversation.id)) !== undefined
  }

  test.each<[string, ConversationOptions]>([
    ['for nobody', {}],
    ['for a chat', { current }],
    ['with fields', { create: { tags: ['x'], workingDir: '/x', metadata: { k: 1 } } }],
  ])('is purged where the conversation made it %s', async (_name, options) => {
    expect(await isKept(options)).toBe(false)
  })

  test.each<[string, Prepare]>([
    ['named', ({ sessions }, id) => sessions.update(id, { name: 'Mine' })],
    ['pinned', ({ sessions }, id) => sessions.update(id, { pinned: true })],
    ['tagged', ({ sessions }, id) => sessions.update(id, { tags: ['x'] })],
    ['told of', ({ sessions }, id) => sessions.update(id, { metadata: { k: 1 } })],
    ['extended', ({ sessions }, id) => sessions.update(id, { extensionData: { k: 1 } })],
    ['counted', ({ sessions }, id) => sessions.addUsage(id, { input: 5 })],
    ['a parent', ({ sessions }, id) => sessions.create({ parentSessionId: id, type: 'sub_agent' })],
    ['in a thread', async ({ threads }, id) => threads.attach((await threads.create({ name: 't' })).id, id)],
  ])('is kept where it is %s', async (_name, prepare) => {
    expect(await isKept({}, prepare)).toBe(true)
  })

  test('is kept where it was given a name', async () => {
    expect(await isKept({ create: { name: 'Mine' } })).toBe(true)
  })

  test('is kept where somebody else made it', async () => {
    const store = createMemoryStore()
    await store.sessions.create({ id: 's' })
    const first = await openConversation(store, { current })
    for (const options of [{ id: 's' }, { current }]) {
      const conversation = await openConversation(store, options)
      await conversation.finish()
      expect(await store.sessions.get(conversation.id)).toBeDefined()
    }
    await first.finish()
    expect(await store.sessions.get(first.id)).toBeUndefined()
  })

  test('keeps the usage of its run', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store)
    await conversation.finish({ usage: { input: 5 } })
    expect((await store.sessions.get(conversation.id))?.tokenCounts.accumulated).toEqual({ input: 5 })
  })

  test('is purged where the store has no threads, and kept where it has no transactions', async () => {
    const store = createMemoryStore()
    const fail = async () => {
      throw new StoreError('unsupported', 'none here')
    }
    const withoutThreads: SessionStore = {
      ...store,
      transact: (work) =>
        store.transact((scope) => work({ ...scope, threads: { ...scope.threads, list: fail } })),
    }
    for (const [kind, kept] of [
      [withoutThreads, false],
      [{ ...store, transact: fail }, true],
    ] as const) {
      const conversation = await openConversation(kind)
      await conversation.finish()
      expect((await store.sessions.get(conversation.id)) !== undefined).toBe(kept)
    }
  })
})

describe('a store that lacks a method', () => {
  const without = (method: 'addUsage' | 'current') => {
    const store = createMemoryStore()
    const fail = async () => {
      throw new StoreError('unsupported', `sessions.${method} is not here`)
    }
    return { ...store, sessions: { ...store.sessions, [method]: fail } }
  }

  test('counts no usage, and says so', async () => {
    const told: unknown[] = []
    const quiet = () => {}
    const warn = (...args: unknown[]) => void told.push(args)
    const logger = { debug: quiet, info: quiet, error: quiet, warn }
    const store = without('addUsage')
    const conversation = await openConversation(store, { id: 's', logger })
    await conversation.begin('q')
    const { naming } = await conversation.finish({ usage: { input: 1 }, complete: async () => 'A Name' })
    await naming
    expect(told).toEqual([
      [{ sessionId: 's', code: 'unsupported' }, 'usage is not counted: the store cannot add it'],
    ])
    expect((await store.sessions.get('s'))?.name).toBe('A Name')
    const silent = await openConversation(store, { id: 's' })
    await silent.finish({ usage: { input: 1 } })
  })

  test('takes no chat', async () => {
    await expect(openConversation(without('current'), { current })).rejects.toMatchObject({
      code: 'unsupported',
    })
  })
})

describe('what is not known is refused by name', () => {
  const refused = async (options: object) =>
    openConversation(createMemoryStore(), options).then(
      () => 'accepted',
      (error: StoreError) => `${error.code} ${error.message}`,
    )

  test.each<[object, string]>([
    [{ idd: 's' }, 'options.idd is not a field that is known here'],
    [{ current: { ...current, idle: 5 } }, 'options.current.idle is not a field that is known here'],
    [{ restore: { mod: 'full' } }, 'options.restore.mod is not a field that is known here'],
    [{ id: 's', current }, 'options: takes one of id and current'],
  ])('%j', async (options, message) => {
    expect(await refused(options)).toBe(`invalid ${message}`)
  })

  test('also in the usage of a run, and before anything is done', async () => {
    const store = createMemoryStore()
    const conversation = await openConversation(store, { id: 's' })
    await conversation.begin('q')
    for (const [finishing, where] of [
      [{ usage: { input: 1, output_tokens: 3 } }, 'options.usage.output_tokens'],
      [{ use: {} }, 'options.use'],
    ] as const)
      await expect(conversation.finish(finishing as object)).rejects.toMatchObject({
        code: 'invalid',
        message: `${where} is not a field that is known here`,
      })
    await conversation.finish({ usage: { input: 1, provider: 'p', model: 'm', messageId: 'x' } })
    expect((await store.sessions.get('s'))?.tokenCounts.accumulated).toEqual({ input: 1 })
  })
})
