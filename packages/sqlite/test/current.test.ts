// The session a chat of a channel talks to.

import { join } from 'node:path'
import type { SessionStore, SessionType } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { allKinds, closeLater, user } from './stores.ts'
import { temporaryFolder } from './support.ts'

const key = { channelType: 'telegram', channelKey: '42' }
const current = async (store: SessionStore, more: { ownerId?: string } = {}) =>
  (await store.sessions.current({ ...key, ...more }))?.id

describe.each(allKinds)('$kind', ({ open }) => {
  test('is none where there is none, and a new one where it may be created', async () => {
    const { store } = await open()
    expect(await store.sessions.current(key)).toBeUndefined()
    const made = await store.sessions.current(key, { create: { name: 'Chat', tags: ['t'] } })
    expect(made).toMatchObject({ ...key, id: '20260301_1', ownerId: '', name: 'Chat', tags: ['t'] })
    expect(await store.sessions.current(key)).toEqual(made)
    expect(await store.sessions.current(key, { create: { name: 'Other' } })).toEqual(made)
  })

  test('ten callers at once get the same', async () => {
    const { store } = await open()
    const found = await Promise.all(
      Array.from({ length: 10 }, () => store.sessions.current(key, { create: {} })),
    )
    expect(new Set(found.map((session) => session?.id))).toEqual(new Set(['20260301_1']))
    expect((await store.sessions.list()).items.length).toBe(1)
  })

  test('is the last active, ties by the later made', async () => {
    const { store, clock } = await open()
    await store.sessions.create({ id: 'first', ...key })
    await store.sessions.create({ id: 'second', ...key })
    expect(await current(store)).toBe('second')
    clock.advance(5)
    await store.messages.append('first', [user('q')])
    expect(await current(store)).toBe('first')
  })

  test('serves until it was silent for idleMs', async () => {
    const { store, clock } = await open()
    await store.sessions.create({ id: 's', ...key })
    clock.advance(999)
    const ask = (create: boolean) =>
      store.sessions.current(key, { idleMs: 1000, ...(create ? { create: { id: 'next' } } : {}) })
    expect((await ask(true))?.id).toBe('s')
    clock.advance(1)
    expect(await ask(false)).toBeUndefined()
    expect((await ask(true))?.id).toBe('next')
    expect((await ask(true))?.id).toBe('next')
    // Without the limit the last active one serves, however long it was silent.
    clock.advance(10_000_000)
    expect(await current(store)).toBe('next')
  })

  test('idleMs of 0 is always over', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's', ...key })
    expect(await store.sessions.current(key, { idleMs: 0 })).toBeUndefined()
  })

  test.each<[string, (store: SessionStore) => Promise<unknown>]>([
    ['archived', (store) => store.sessions.update('s', { archived: true })],
    ['in the trash', (store) => store.sessions.remove('s')],
    ['hidden', (store) => store.sessions.update('s', { type: 'hidden' })],
    ['a sub-agent', (store) => store.sessions.update('s', { type: 'sub_agent' })],
  ])('one that is %s does not serve', async (_, change) => {
    const { store, clock } = await open()
    await store.sessions.create({ id: 'older', ...key })
    clock.advance(1)
    await store.sessions.create({ id: 's', ...key })
    await change(store)
    expect(await current(store)).toBe('older')
  })

  test.each(['user', 'scheduled', 'terminal', 'gateway', 'acp'] as SessionType[])(
    'one of type %s serves',
    async (type) => {
      const { store } = await open()
      await store.sessions.create({ id: 's', type, ...key })
      expect(await current(store)).toBe('s')
    },
  )

  test('owners, channels and chats are kept apart', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'nobody', ...key })
    await store.sessions.create({ id: 'ana', ...key, ownerId: 'ana' })
    await store.sessions.create({ id: 'web', ...key, channelType: 'web' })
    await store.sessions.create({ id: 'chat', ...key, channelKey: '43' })
    expect(await current(store)).toBe('nobody')
    expect(await current(store, { ownerId: 'ana' })).toBe('ana')
    expect(await current(store, { ownerId: 'bo' })).toBeUndefined()
    const made = await store.sessions.current({ ...key, ownerId: 'bo' }, { create: {} })
    expect(made?.ownerId).toBe('bo')
  })

  test.each([
    ['another channel', { channelType: 'web' }, 'options.create.channelType'],
    ['another chat', { channelKey: '43' }, 'options.create.channelKey'],
    ['another owner', { ownerId: 'ana' }, 'options.create.ownerId'],
    ['a field that is none', { name: '' }, 'options.create.name'],
  ])('to create one of %s is invalid, also where one serves', async (_, create, named) => {
    const { store } = await open()
    for (let round = 0; round < 2; round++) {
      await expect(store.sessions.current(key, { create })).rejects.toMatchObject({
        code: 'invalid',
        operation: 'sessions.current',
        message: expect.stringContaining(named),
      })
      await store.sessions.create(key)
    }
    // The same values are no other ones.
    expect((await store.sessions.current(key, { create: { ...key, ownerId: '' } }))?.channelKey).toBe('42')
  })

  test('a taken id is refused only where one is made', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'taken' })
    await expect(store.sessions.current(key, { create: { id: 'taken' } })).rejects.toMatchObject({
      code: 'already-exists',
    })
    await store.sessions.create({ id: 's', ...key })
    expect((await store.sessions.current(key, { create: { id: 'taken' } }))?.id).toBe('s')
  })
})

test('two handles on one file at once get the same', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const handles = [closeLater(await openSqliteStore({ path })), closeLater(await openSqliteStore({ path }))]
  const found = await Promise.all(
    Array.from({ length: 10 }, (_, index) => handles[index % 2]?.sessions.current(key, { create: {} })),
  )
  expect(new Set(found.map((session) => session?.id)).size).toBe(1)
})

test('to ask without creating is a read: it does not wait for a writer', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const writer = closeLater(await openSqliteStore({ path }))
  const reader = closeLater(await openSqliteStore({ path, busyTimeout: 20 }))
  await writer.sessions.create({ id: 's', ...key })
  await writer.transact(async (scope) => {
    await scope.messages.append('s', [user('q')])
    expect(await current(reader)).toBe('s')
  })
})
