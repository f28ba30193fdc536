// Threads: groups of sessions, listed by their last update, with their sessions in the order of attaching.

import type { Page, PageRequest, SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { allKinds, turns } from './stores.ts'

const now = Date.UTC(2026, 2, 1, 12)

/** The ids of every page. */
async function pagesOf(
  read: (page: PageRequest) => Promise<Page<{ readonly id: string }>>,
  limit: number,
): Promise<string[][]> {
  const pages: string[][] = []
  let request: PageRequest | undefined = { limit }
  while (request !== undefined) {
    const { items, nextCursor }: Page<{ readonly id: string }> = await read(request)
    pages.push(items.map(({ id }) => id))
    request = nextCursor === undefined ? undefined : { limit, cursor: nextCursor }
  }
  return pages
}

async function createSessions(store: SessionStore, ...ids: string[]): Promise<void> {
  for (const id of ids) await store.sessions.create({ id })
}

describe.each(allKinds)('$kind', ({ open }) => {
  test('is created with what is given, and an id where none is', async () => {
    const { store } = await open()
    const thread = await store.threads.create({
      id: 't',
      ownerId: 'ana',
      name: 'Trip',
      metadata: { a: [1] },
    })
    expect(thread).toEqual({
      id: 't',
      ownerId: 'ana',
      name: 'Trip',
      metadata: { a: [1] },
      createdAt: now,
      updatedAt: now,
      sessionCount: 0,
    })
    expect(await store.threads.get('t')).toEqual(thread)
    expect(await store.threads.create({ name: 'Other' })).toMatchObject({
      id: 'm-1',
      ownerId: '',
      metadata: {},
    })
  })

  test('is updated in name and metadata; nothing given changes nothing', async () => {
    const { store, clock } = await open()
    const thread = await store.threads.create({ id: 't', name: 'Trip', metadata: { a: 1 } })
    clock.advance(10)
    expect(await store.threads.update('t', {})).toEqual(thread)
    expect(await store.threads.update('t', { name: 'Way' })).toEqual({
      ...thread,
      name: 'Way',
      updatedAt: now + 10,
    })
    clock.advance(10)
    const changed = await store.threads.update('t', { metadata: { b: 2 } })
    expect(changed).toEqual({ ...thread, name: 'Way', metadata: { b: 2 }, updatedAt: now + 20 })
    expect(await store.threads.get('t')).toEqual(changed)
  })

  test('holds sessions in the order they were attached; attaching again changes nothing', async () => {
    const { store, clock } = await open()
    await createSessions(store, 'a', 'b', 'c')
    await store.threads.create({ id: 't', name: 'Trip' })
    for (const id of ['c', 'a', 'b']) await store.threads.attach('t', id)
    const before = await store.threads.get('t')
    clock.advance(10)
    await store.threads.attach('t', 'c')
    expect(await store.threads.get('t')).toEqual(before)
    expect(await pagesOf((page) => store.threads.sessions('t', page), 2)).toEqual([['c', 'a'], ['b']])
    expect(before?.sessionCount).toBe(3)
    // Detached and attached again it is the last.
    expect(await store.threads.detach('t', 'c')).toBe(true)
    expect(await store.threads.detach('t', 'c')).toBe(false)
    await store.threads.attach('t', 'c')
    expect(await pagesOf((page) => store.threads.sessions('t', page), 50)).toEqual([['a', 'b', 'c']])
    expect((await store.threads.get('t'))?.updatedAt).toBe(now + 10)
  })

  test('sessions attached and detached between pages are neither lost nor repeated', async () => {
    const { store } = await open()
    await createSessions(store, 'a', 'b', 'c', 'd')
    await store.threads.create({ id: 't', name: 'Trip' })
    for (const id of ['a', 'b', 'c']) await store.threads.attach('t', id)
    const first = await store.threads.sessions('t', { limit: 2 })
    await store.threads.detach('t', 'a')
    await store.threads.attach('t', 'd')
    const second = await store.threads.sessions('t', { limit: 2, cursor: first.nextCursor ?? '' })
    expect(second.items.map(({ id }) => id)).toEqual(['c', 'd'])
    expect(second.nextCursor).toBeUndefined()
  })

  test('a session in the trash is not shown or counted, and is back where it was', async () => {
    const { store } = await open()
    await createSessions(store, 'a', 'b')
    await store.threads.create({ id: 't', name: 'Trip' })
    for (const id of ['a', 'b']) await store.threads.attach('t', id)
    await store.sessions.remove('a')
    expect((await store.threads.get('t'))?.sessionCount).toBe(1)
    expect(await pagesOf((page) => store.threads.sessions('t', page), 50)).toEqual([['b']])
    await store.sessions.undelete('a')
    expect(await pagesOf((page) => store.threads.sessions('t', page), 50)).toEqual([['a', 'b']])
    await store.sessions.remove('a', { purge: true })
    expect((await store.threads.get('t'))?.sessionCount).toBe(1)
    // A new session of that id is not in the thread.
    await createSessions(store, 'a')
    expect(await pagesOf((page) => store.threads.sessions('t', page), 50)).toEqual([['b']])
  })

  test('archived, hidden and sub-agent sessions are shown: who attached them wanted them there', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'h', type: 'hidden' })
    await store.sessions.create({ id: 's', type: 'sub_agent' })
    await store.sessions.create({ id: 'a' })
    await store.sessions.update('a', { archived: true })
    await store.threads.create({ id: 't', name: 'Trip' })
    for (const id of ['h', 's', 'a']) await store.threads.attach('t', id)
    expect(await pagesOf((page) => store.threads.sessions('t', page), 50)).toEqual([['h', 's', 'a']])
  })

  test('a session may be in several; removing a thread keeps its sessions', async () => {
    const { store } = await open()
    await store.messages.append('a', turns(1), { createSession: true })
    for (const id of ['t', 'u', 'v']) await store.threads.create({ id, name: id })
    for (const id of ['t', 'u']) await store.threads.attach(id, 'a')
    const { items } = await store.threads.list({ sessionId: 'a' })
    expect(items.map(({ id }) => id)).toEqual(['u', 't'])
    expect(await store.threads.remove('t')).toBe(true)
    expect(await store.threads.remove('t')).toBe(false)
    expect(await store.threads.get('t')).toBeUndefined()
    expect((await store.threads.list({ sessionId: 'a' })).items.map(({ id }) => id)).toEqual(['u'])
    expect((await store.sessions.get('a'))?.messageCount).toBe(2)
    expect((await store.sessions.list({ threadId: 'u' })).items.map(({ id }) => id)).toEqual(['a'])
    expect((await store.sessions.list({ threadId: 't' })).items).toEqual([])
  })

  test('lists go by the last update, ties by id from the end, page by page, of one owner or all', async () => {
    const { store, clock } = await open()
    const ids = ['b', 'a', '\u{1f600}', '\ufffd', 'é', 'B', 'aa']
    for (const [index, id] of ids.entries())
      await store.threads.create({ id, name: id, ownerId: index % 2 ? 'ana' : '' })
    clock.advance(1)
    await store.threads.update('a', { name: 'newest' })
    const expected = ['a', '\u{1f600}', '\ufffd', 'é', 'b', 'aa', 'B']
    for (const limit of [1, 2, 3, 50])
      expect((await pagesOf((page) => store.threads.list(page), limit)).flat()).toEqual(expected)
    const ana = await pagesOf((page) => store.threads.list({ ...page, ownerId: 'ana' }), 2)
    expect(ana).toEqual([['a', '\ufffd'], ['B']])
    expect((await store.threads.list({ ownerId: 'nobody' })).items).toEqual([])
  })

  test('a thread updated between pages is not shown twice', async () => {
    const { store, clock } = await open()
    for (const id of ['a', 'b', 'c', 'd']) {
      await store.threads.create({ id, name: id })
      clock.advance(1)
    }
    const first = await store.threads.list({ limit: 2 })
    await store.threads.update('d', { name: 'again' })
    await store.threads.create({ id: 'e', name: 'e' })
    const second = await store.threads.list({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ])
  })

  test.each<[string, (store: SessionStore) => Promise<unknown>, string, string]>([
    [
      'a taken id',
      ({ threads }) => threads.create({ id: 't', name: 'n' }),
      'already-exists',
      'threads.create',
    ],
    ['no name', ({ threads }) => threads.create({ name: '' }), 'invalid', 'threads.create'],
    [
      'an id that is none',
      ({ threads }) => threads.create({ id: '..', name: 'n' }),
      'invalid',
      'threads.create',
    ],
    ['an update of none', ({ threads }) => threads.update('x', { name: 'n' }), 'not-found', 'threads.update'],
    ['an empty update of none', ({ threads }) => threads.update('x', {}), 'not-found', 'threads.update'],
    ['a session attached to none', ({ threads }) => threads.attach('x', 'a'), 'not-found', 'threads.attach'],
    ['no session attached', ({ threads }) => threads.attach('t', 'x'), 'not-found', 'threads.attach'],
    [
      'one in the trash attached',
      ({ threads }) => threads.attach('t', 'gone'),
      'not-found',
      'threads.attach',
    ],
    ['a limit of 0', ({ threads }) => threads.list({ limit: 0 }), 'invalid', 'threads.list'],
    [
      'a cursor of nothing',
      ({ threads }) => threads.sessions('t', { cursor: 'x' }),
      'invalid-cursor',
      'threads.sessions',
    ],
    [
      'a cursor of nothing in a timeline',
      ({ threads }) => threads.timeline('t', { cursor: 'x' }),
      'invalid-cursor',
      'threads.timeline',
    ],
  ])('%s is refused', async (_, call, code, operation) => {
    const { store } = await open()
    await createSessions(store, 'a', 'gone')
    await store.sessions.remove('gone')
    await store.threads.create({ id: 't', name: 'Trip' })
    await expect(call(store)).rejects.toMatchObject({ code, operation })
  })

  test('reads of an unknown thread are empty, and a cursor is bound to its list', async () => {
    const { store } = await open()
    await createSessions(store, 'a', 'b')
    for (const id of ['t', 'u']) await store.threads.create({ id, name: id })
    for (const id of ['a', 'b']) await store.threads.attach('t', id)
    for (const id of ['x', '', '..']) {
      expect(await store.threads.get(id)).toBeUndefined()
      expect(await store.threads.sessions(id)).toEqual({ items: [] })
      expect(await store.threads.timeline(id)).toEqual({ items: [] })
    }
    expect(await store.threads.detach('x', 'a')).toBe(false)
    const { nextCursor: cursor = '' } = await store.threads.sessions('t', { limit: 1 })
    await expect(store.threads.sessions('u', { cursor })).rejects.toMatchObject({ code: 'invalid-cursor' })
    await expect(store.threads.timeline('t', { cursor })).rejects.toMatchObject({ code: 'invalid-cursor' })
    const list = await store.threads.list({ limit: 1 })
    await expect(store.threads.list({ ownerId: 'ana', cursor: list.nextCursor ?? '' })).rejects.toMatchObject(
      { code: 'invalid-cursor' },
    )
  })
})
