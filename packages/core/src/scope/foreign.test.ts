// Every method of the port with ids of another owner's: each answers what it answers for ids that do not exist. Only a
// taken id shows.

import { describe, expect, test } from 'vitest'
import { portMethods } from '../adapter/port-methods.ts'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from './store.ts'

const user = (content: string) => ({ role: 'user' as const, content })
const key = { channelType: 'web', channelKey: 'k' }

/** Bo's view of a store in which all there is is Ana's; a thread of Ana's holds her session. */
async function openForeign() {
  const store = createMemoryStore({ clock: () => 1000 })
  const ana = scopeStore(store, { ownerId: 'ana' })
  await ana.messages.append('s', [{ ...user('q'), id: 'm' }], { createSession: { ...key, tags: ['x'] } })
  await ana.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 's' })
  await ana.sessions.create({ id: 'gone' })
  await ana.sessions.remove('gone')
  await ana.threads.create({ id: 't', name: 'Trip' })
  await ana.threads.attach('t', 's')
  return { store, ana, bo: scopeStore(store, { ownerId: 'bo' }) }
}

type Call = (store: SessionStore) => Promise<unknown>
/** A value, or the code an error has. */
type Outcome = { readonly value: unknown } | { readonly code: string }

const empty: Outcome = { value: { items: [] } }
const none: Outcome = { value: undefined }
const no: Outcome = { value: false }
const unknown: Outcome = { code: 'not-found' }
const taken: Outcome = { code: 'already-exists' }
const invalid: Outcome = { code: 'invalid' }

const calls: {
  readonly [method: string]: readonly (readonly [what: string, call: Call, outcome: Outcome])[]
} = {
  'sessions.create': [
    ['its id', ({ sessions }) => sessions.create({ id: 's' }), taken],
    ['its id in the trash', ({ sessions }) => sessions.create({ id: 'gone' }), taken],
    ['its owner', ({ sessions }) => sessions.create({ ownerId: 'ana' }), invalid],
  ],
  'sessions.get': [
    ['its id', ({ sessions }) => sessions.get('s'), none],
    ['its id in the trash', ({ sessions }) => sessions.get('gone'), none],
  ],
  'sessions.list': [
    ['everything', ({ sessions }) => sessions.list({ types: 'all', deleted: 'any', archived: 'any' }), empty],
    ['its owner', ({ sessions }) => sessions.list({ ownerId: 'ana' }), empty],
    ['nobody’s', ({ sessions }) => sessions.list({ ownerId: '' }), empty],
    ['its children', ({ sessions }) => sessions.list({ parentSessionId: 's' }), empty],
    ['its thread', ({ sessions }) => sessions.list({ threadId: 't' }), empty],
    ['its tags', ({ sessions }) => sessions.list({ tags: ['x'] }), empty],
  ],
  'sessions.update': [['its id', ({ sessions }) => sessions.update('s', { name: 'n' }), unknown]],
  'sessions.addUsage': [['its id', ({ sessions }) => sessions.addUsage('s', { input: 1 }), unknown]],
  'sessions.current': [
    ['its chat', ({ sessions }) => sessions.current(key), none],
    ['its owner', ({ sessions }) => sessions.current({ ...key, ownerId: 'ana' }), invalid],
    ['its owner to create', ({ sessions }) => sessions.current(key, { create: { ownerId: 'ana' } }), invalid],
    ['its id to create', ({ sessions }) => sessions.current(key, { create: { id: 's' } }), taken],
  ],
  'sessions.resetContext': [['its id', ({ sessions }) => sessions.resetContext('s'), unknown]],
  'sessions.fork': [
    ['its id', ({ sessions }) => sessions.fork('s'), unknown],
    ['its id in the trash', ({ sessions }) => sessions.fork('gone'), unknown],
  ],
  'sessions.import': [
    ['its id', ({ sessions }) => sessions.import({ id: 's' }, []), taken],
    ['its owner', ({ sessions }) => sessions.import({ ownerId: 'ana' }, []), invalid],
  ],
  'sessions.rewind': [['its id', ({ sessions }) => sessions.rewind('s', { toSeq: 0 }), unknown]],
  'sessions.remove': [
    ['its id', ({ sessions }) => sessions.remove('s'), no],
    ['its id, to purge', ({ sessions }) => sessions.remove('s', { purge: true }), no],
  ],
  'sessions.undelete': [['its id in the trash', ({ sessions }) => sessions.undelete('gone'), unknown]],
  'messages.append': [
    ['its id', ({ messages }) => messages.append('s', [user('x')]), unknown],
    ['its id to create', ({ messages }) => messages.append('s', [user('x')], { createSession: true }), taken],
    ['its id in the trash', ({ messages }) => messages.append('gone', [], { createSession: {} }), taken],
    [
      'its owner',
      ({ messages }) => messages.append('n', [user('x')], { createSession: { ownerId: 'ana' } }),
      invalid,
    ],
  ],
  'messages.read': [['its id', ({ messages }) => messages.read('s'), empty]],
  'messages.get': [['its id', ({ messages }) => messages.get('s', 'm'), none]],
  'messages.recentTurns': [
    [
      'its id',
      ({ messages }) => messages.recentTurns('s', { turns: 1 }),
      { value: { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true } },
    ],
  ],
  'messages.update': [['its id', ({ messages }) => messages.update('s', 'm', { content: 'x' }), unknown]],
  'messages.remove': [['its id', ({ messages }) => messages.remove('s', ['m']), unknown]],
  'messages.replace': [['its id', ({ messages }) => messages.replace('s', []), unknown]],
  'messages.compact': [
    ['its id', ({ messages }) => messages.compact('s', { throughSeq: 1, summary: user('x') }), unknown],
  ],
  'messages.truncate': [['its id', ({ messages }) => messages.truncate('s', { fromSeq: 1 }), unknown]],
  'messages.clear': [['its id', ({ messages }) => messages.clear('s'), unknown]],
  'threads.create': [
    ['its id', ({ threads }) => threads.create({ id: 't', name: 'n' }), taken],
    ['its owner', ({ threads }) => threads.create({ ownerId: 'ana', name: 'n' }), invalid],
  ],
  'threads.get': [['its id', ({ threads }) => threads.get('t'), none]],
  'threads.list': [
    ['everything', ({ threads }) => threads.list(), empty],
    ['its owner', ({ threads }) => threads.list({ ownerId: 'ana' }), empty],
    ['its session', ({ threads }) => threads.list({ sessionId: 's' }), empty],
  ],
  'threads.update': [['its id', ({ threads }) => threads.update('t', { name: 'n' }), unknown]],
  'threads.remove': [['its id', ({ threads }) => threads.remove('t'), no]],
  'threads.attach': [
    ['its id', ({ threads }) => threads.attach('t', 'mine'), unknown],
    ['its session', ({ threads }) => threads.attach('my-thread', 's'), unknown],
  ],
  'threads.detach': [
    ['its id', ({ threads }) => threads.detach('t', 's'), no],
    ['its session', ({ threads }) => threads.detach('my-thread', 's'), no],
  ],
  'threads.sessions': [['its id', ({ threads }) => threads.sessions('t'), empty]],
  'threads.timeline': [['its id', ({ threads }) => threads.timeline('t'), empty]],
}

test('no method of sessions, messages and threads is left out', () => {
  const all = (['sessions', 'messages', 'threads'] as const).flatMap((part) =>
    portMethods[part].map((name) => `${part}.${name}`),
  )
  expect(Object.keys(calls)).toEqual(all)
})

describe.each(Object.keys(calls))('%s', (method) => {
  test.each(calls[method] ?? [])('of %s', async (_, call, outcome) => {
    const { store, ana, bo } = await openForeign()
    const before = {
      sessions: await ana.sessions.list({ types: 'all', deleted: 'any' }),
      messages: await ana.messages.read('s'),
      threads: await ana.threads.list(),
      members: await ana.threads.sessions('t'),
    }
    // Something of Bo's own, where a call needs it; else his part of the store is empty.
    if (/mine|my-thread/.test(call.toString())) {
      await bo.sessions.create({ id: 'mine' })
      await bo.threads.create({ id: 'my-thread', name: 'n' })
    }
    const found: Outcome & { operation?: string } = await call(bo).then(
      (value) => ({ value }),
      ({ code, operation }: { code: string; operation: string }) => ({ code, operation }),
    )
    expect(found).toEqual('code' in outcome ? { ...outcome, operation: method } : outcome)
    expect({
      sessions: await ana.sessions.list({ types: 'all', deleted: 'any' }),
      messages: await ana.messages.read('s'),
      threads: await ana.threads.list(),
      members: await ana.threads.sessions('t'),
    }).toEqual(before)
    await store.close()
  })
})

test('a taken id shows, but not that it is in the trash', async () => {
  const { store, bo } = await openForeign()
  for (const call of [
    () => bo.sessions.create({ id: 'gone' }),
    () => bo.sessions.import({ id: 'gone' }, []),
    () => bo.sessions.current(key, { create: { id: 'gone' } }),
    () => bo.messages.append('gone', [user('x')], { createSession: true }),
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'already-exists',
      message: 'session "gone" exists already',
    })
  await bo.sessions.create({ id: 'own' })
  await expect(bo.sessions.fork('own', { id: 'gone' })).rejects.toMatchObject({
    code: 'already-exists',
    operation: 'sessions.fork',
    message: 'session "gone" exists already',
  })
  await store.close()
})

test('a parent is only named: whose it is or whether it is does not show, and neither purge reaches the other', async () => {
  const { ana, bo, store } = await openForeign()
  for (const parentSessionId of ['s', 'nowhere']) {
    const id = `of ${parentSessionId}`
    expect(await bo.sessions.create({ id, type: 'sub_agent', parentSessionId })).toMatchObject({
      parentSessionId,
    })
  }
  await bo.sessions.import({ id: 'branch', type: 'hidden', branchOf: 's' }, [])
  const before = await bo.sessions.list({ types: 'all' })
  const { token } = await bo.changes.since('now')
  await ana.sessions.remove('s')
  await ana.sessions.undelete('s')
  await ana.sessions.remove('s', { purge: true })
  expect(await bo.sessions.list({ types: 'all' })).toEqual(before)
  expect((await bo.changes.since(token)).changes).toEqual([])
  await store.close()
})

test('ids that nobody has answer the same, but for those that are taken', async () => {
  const { store, bo } = await openForeign()
  const lonely = scopeStore(createMemoryStore(), { ownerId: 'bo' })
  for (const [method, list] of Object.entries(calls)) {
    for (const [what, call, outcome] of list) {
      if (outcome === taken || outcome === invalid || /mine|my-thread/.test(call.toString())) continue
      const answers = await Promise.all(
        [bo, lonely].map((one) =>
          call(one).then(
            (value) => ({ value }),
            ({ code, message, operation }) => ({ code, message, operation }),
          ),
        ),
      )
      expect([method, what, answers[0]]).toEqual([method, what, answers[1]])
    }
  }
  await store.close()
})
