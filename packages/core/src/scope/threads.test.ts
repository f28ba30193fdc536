// A thread that holds other owners' sessions, put there through the whole store: in this view they do not exist.

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/store.ts'
import type { MessagePage } from '../port/messages.ts'
import { scopeStore } from './store.ts'

const at = (createdAt: number, content = 'x') => ({ role: 'user' as const, content, createdAt })

/** Ana's thread `t` with sessions a1, b1, b2, b3, a2 in this order, a message each at time 1, 2, ...; Bo's `u` with a1. */
async function openShared() {
  const store = createMemoryStore({ clock: () => 1000 })
  const ana = scopeStore(store, { ownerId: 'ana' })
  const bo = scopeStore(store, { ownerId: 'bo' })
  await ana.threads.create({ id: 't', name: 'Trip' })
  await bo.threads.create({ id: 'u', name: 'Other' })
  for (const [index, id] of ['a1', 'b1', 'b2', 'b3', 'a2'].entries()) {
    const ownerId = id.startsWith('a') ? 'ana' : 'bo'
    await store.messages.append(id, [at(index + 1)], { createSession: { ownerId } })
    await store.threads.attach('t', id)
  }
  await store.threads.attach('u', 'a1')
  return { store, ana, bo }
}

describe('of the owner’s', () => {
  test.each([1, 2, 3, 50])(
    'sessions are the own ones, %i a page, and an empty page is the last',
    async (limit) => {
      const { ana } = await openShared()
      const pages: string[][] = []
      let cursor: string | undefined
      do {
        const page = await ana.threads.sessions('t', { limit, ...(cursor === undefined ? {} : { cursor }) })
        expect(page.items.length > 0 || page.nextCursor === undefined).toBe(true)
        pages.push(page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(pages.flat()).toEqual(['a1', 'a2'])
    },
  )

  test.each([1, 2, 3, 50])('the timeline is of the own ones, %i a page', async (limit) => {
    const { ana } = await openShared()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: MessagePage = await ana.threads.timeline('t', {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      })
      expect(page.items.length > 0 || page.nextCursor === undefined).toBe(true)
      seen.push(...page.items.map(({ sessionId }) => sessionId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(['a1', 'a2'])
  })

  test('the count is of the own ones, wherever the thread is given', async () => {
    const { ana, store } = await openShared()
    expect((await store.threads.get('t'))?.sessionCount).toBe(5)
    expect((await ana.threads.get('t'))?.sessionCount).toBe(2)
    expect((await ana.threads.list()).items.map(({ sessionCount }) => sessionCount)).toEqual([2])
    expect((await ana.threads.update('t', { name: 'n' })).sessionCount).toBe(2)
    await ana.sessions.remove('a1')
    expect((await ana.threads.get('t'))?.sessionCount).toBe(1)
  })

  test('another’s session in it can neither be asked for nor be detached', async () => {
    const { ana, store } = await openShared()
    expect((await ana.threads.list({ sessionId: 'b1' })).items).toEqual([])
    expect((await ana.threads.list({ sessionId: 'a1' })).items.map(({ id }) => id)).toEqual(['t'])
    expect(await ana.threads.detach('t', 'b1')).toBe(false)
    await expect(ana.threads.attach('t', 'b1')).rejects.toMatchObject({ code: 'not-found' })
    expect((await store.threads.get('t'))?.sessionCount).toBe(5)
    expect((await ana.sessions.list({ threadId: 't' })).items.map(({ id }) => id)).toEqual(['a2', 'a1'])
  })

  test('removing it keeps all sessions', async () => {
    const { ana, bo } = await openShared()
    expect(await ana.threads.remove('t')).toBe(true)
    expect((await bo.sessions.list()).items.length).toBe(3)
  })
})

describe('of another’s', () => {
  test('it does not exist, although it holds the owner’s session', async () => {
    const { ana, store } = await openShared()
    expect(await ana.threads.get('u')).toBeUndefined()
    expect(await ana.threads.sessions('u')).toEqual({ items: [] })
    expect(await ana.threads.timeline('u')).toEqual({ items: [] })
    expect(await ana.sessions.list({ threadId: 'u' })).toEqual({ items: [] })
    expect(await ana.threads.detach('u', 'a1')).toBe(false)
    expect((await store.threads.get('u'))?.sessionCount).toBe(1)
  })

  test.each([
    [() => ({ limit: 0 }), 'invalid'],
    [() => ({ cursor: 'nothing' }), 'invalid-cursor'],
  ])('a query that is none is refused all the same', async (page, code) => {
    const { ana } = await openShared()
    for (const id of ['u', 'unknown']) {
      await expect(ana.sessions.list({ threadId: id, ...page() })).rejects.toMatchObject({ code })
    }
    for (const sessionId of ['b1', 'unknown'])
      await expect(ana.threads.list({ sessionId, ...page() })).rejects.toMatchObject({ code })
  })
})
