// Two owners who choose the same id at the same moment: one gets it, and the other gets nothing of it.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from './store.ts'

const user = (content: string) => ({ role: 'user' as const, content })
type View = SessionStore
type Call = (view: View) => Promise<unknown>

const outcome = (call: Promise<unknown>) =>
  call.then(
    (value) => ({ value }),
    ({ code, operation }: { code: string; operation: string }) => ({ code, operation }),
  )

test('of two that append to a new session at once, one gets it', async () => {
  const store = createMemoryStore()
  const [ana, bo] = ['ana', 'bo'].map((ownerId) => scopeStore(store, { ownerId })) as [View, View]
  const [first, second] = await Promise.all([
    outcome(ana.messages.append('s', [user('of ana')], { createSession: true })),
    outcome(bo.messages.append('s', [user('of bo')], { createSession: true })),
  ])
  expect(first).toMatchObject({ value: { version: 1 } })
  expect(second).toEqual({ code: 'already-exists', operation: 'messages.append' })
  expect((await store.sessions.get('s'))?.ownerId).toBe('ana')
  expect((await ana.messages.read('s')).items.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'of ana' }],
  ])
  expect(await bo.messages.read('s')).toEqual({ items: [] })
})

describe('while another owner makes a session of that id', () => {
  const notFound = (operation: string) => ({ code: 'not-found', operation })
  const calls: readonly (readonly [operation: string, call: Call, outcome: unknown])[] = [
    ['sessions.update', ({ sessions }) => sessions.update('s', { name: 'n' }), notFound('sessions.update')],
    [
      'sessions.addUsage',
      ({ sessions }) => sessions.addUsage('s', { input: 1 }),
      notFound('sessions.addUsage'),
    ],
    [
      'sessions.resetContext',
      ({ sessions }) => sessions.resetContext('s'),
      notFound('sessions.resetContext'),
    ],
    ['sessions.fork', ({ sessions }) => sessions.fork('s'), notFound('sessions.fork')],
    ['sessions.rewind', ({ sessions }) => sessions.rewind('s', { toSeq: 0 }), notFound('sessions.rewind')],
    ['sessions.remove', ({ sessions }) => sessions.remove('s', { purge: true }), { value: false }],
    ['sessions.undelete', ({ sessions }) => sessions.undelete('s'), notFound('sessions.undelete')],
    ['messages.append', ({ messages }) => messages.append('s', [user('x')]), notFound('messages.append')],
    ['messages.read', ({ messages }) => messages.read('s'), { value: { items: [] } }],
    ['messages.get', ({ messages }) => messages.get('s', 'm'), { value: undefined }],
    [
      'messages.recentTurns',
      ({ messages }) => messages.recentTurns('s', { turns: 1 }),
      { value: { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true } },
    ],
    [
      'messages.update',
      ({ messages }) => messages.update('s', 'm', { content: 'x' }),
      notFound('messages.update'),
    ],
    ['messages.remove', ({ messages }) => messages.remove('s', ['m']), notFound('messages.remove')],
    ['messages.replace', ({ messages }) => messages.replace('s', []), notFound('messages.replace')],
    [
      'messages.compact',
      ({ messages }) => messages.compact('s', { throughSeq: 1, summary: user('x') }),
      notFound('messages.compact'),
    ],
    [
      'messages.truncate',
      ({ messages }) => messages.truncate('s', { fromSeq: 1 }),
      notFound('messages.truncate'),
    ],
    ['messages.clear', ({ messages }) => messages.clear('s'), notFound('messages.clear')],
    ['threads.attach', ({ threads }) => threads.attach('t', 's'), notFound('threads.attach')],
    ['threads.list', ({ threads }) => threads.list({ sessionId: 's' }), { value: { items: [] } }],
  ]

  test.each(calls)('%s gets nothing of it and does nothing to it', async (operation, call, expected) => {
    // The other owner's call lands at each moment there is between the steps of this one.
    for (let moment = 0; moment < 12; moment++) {
      const store = createMemoryStore({ clock: () => 1000 })
      const ana = scopeStore(store, { ownerId: 'ana' })
      const bo = scopeStore(store, { ownerId: 'bo' })
      await bo.threads.create({ id: 't', name: 'n' })
      const made = (async () => {
        for (let step = 0; step < moment; step++) await undefined
        return ana.messages.append('s', [{ ...user('q'), id: 'm' }], { createSession: true })
      })()
      expect([operation, moment, await outcome(call(bo))]).toEqual([operation, moment, expected])
      await made
      expect((await ana.messages.read('s')).items.map(({ id }) => id)).toEqual(['m'])
      expect(await ana.sessions.get('s')).toMatchObject({ version: 1, name: 'New session' })
      await store.close()
    }
  })
})

test.each(['read', 'get', 'recentTurns'] as const)(
  'messages.%s gives nothing of a session that was another owner’s for the length of the read',
  async (name) => {
    const memory = createMemoryStore()
    const another = async <T>(read: () => Promise<T>): Promise<T> => {
      const message = { ...user('of ana'), id: 'm' }
      await memory.messages.append('s', [message], { createSession: { ownerId: 'ana' } })
      const value = await read()
      await memory.sessions.remove('s', { purge: true })
      return value
    }
    const messages: SessionStore['messages'] = {
      ...memory.messages,
      read: (id) => another(() => memory.messages.read(id)),
      get: (id, messageId) => another(() => memory.messages.get(id, messageId)),
      recentTurns: (id, options) => another(() => memory.messages.recentTurns(id, options)),
    }
    const { messages: bo } = scopeStore({ ...memory, messages }, { ownerId: 'bo' })
    const calls = {
      read: () => bo.read('s'),
      get: () => bo.get('s', 'm'),
      recentTurns: () => bo.recentTurns('s', { turns: 1 }),
    }
    const nothing = {
      read: { items: [] },
      get: undefined,
      recentTurns: { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true },
    }
    expect(await calls[name]()).toEqual(nothing[name])
  },
)

describe('a read during which the session goes to another owner', () => {
  test.each([
    ['messages.read', ({ messages }: View) => messages.read('s'), { items: [] }],
    ['messages.get', ({ messages }: View) => messages.get('s', 'm'), undefined],
  ] as const)('%s answers as for none', async (_, call, expected) => {
    const memory = createMemoryStore()
    const bo = scopeStore(memory, { ownerId: 'bo' })
    await bo.messages.append('s', [{ ...user('of bo'), id: 'm' }], { createSession: true })
    let isTaken = false
    const take = async () => {
      if (isTaken) return
      isTaken = true
      await memory.sessions.remove('s', { purge: true })
      await memory.messages.append('s', [{ ...user('of ana'), id: 'm' }], {
        createSession: { ownerId: 'ana' },
      })
    }
    const messages = {
      ...memory.messages,
      read: async (id: string) => {
        await take()
        return memory.messages.read(id)
      },
      get: async (id: string, messageId: string) => {
        await take()
        return memory.messages.get(id, messageId)
      },
    }
    const view = scopeStore({ ...memory, messages }, { ownerId: 'bo' })
    expect(await call(view)).toEqual(expected)
    expect(isTaken).toBe(true)
  })
})
