// Out of the trash: what went there together comes back together, what was there before stays.

import type { SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { allKinds, user } from './stores.ts'

/** A parent with two sub-agents, one of which has its own, and a session that is only a child. */
async function createFamily(store: SessionStore): Promise<void> {
  await store.sessions.create({ id: 'parent' })
  await store.sessions.create({ id: 'one', type: 'sub_agent', parentSessionId: 'parent' })
  await store.sessions.create({ id: 'two', type: 'sub_agent', parentSessionId: 'parent' })
  await store.sessions.create({ id: 'below', type: 'hidden', parentSessionId: 'two' })
  await store.sessions.create({ id: 'child', type: 'user', parentSessionId: 'parent' })
}

const family = ['parent', 'one', 'two', 'below', 'child']

async function trashed(store: SessionStore): Promise<string[]> {
  const found = await Promise.all(family.map((id) => store.sessions.get(id)))
  return found.flatMap((session) => (session?.deletedAt === undefined ? [] : [session.id]))
}

describe.each(allKinds)('$kind', ({ open }) => {
  test('brings back the session with its sub-agents and hidden descendants', async () => {
    const { store, clock } = await open()
    await createFamily(store)
    await store.messages.append('below', [user('q')])
    const at = clock.advance(1000)
    expect(await store.sessions.remove('parent')).toBe(true)
    expect(await trashed(store)).toEqual(['parent', 'one', 'two', 'below'])
    expect((await store.sessions.get('below'))?.deletedAt).toBe(at)
    clock.advance(1000)
    const session = await store.sessions.undelete('parent')
    expect(session).toEqual(await store.sessions.get('parent'))
    expect([session.deletedAt, session.updatedAt]).toEqual([undefined, at + 1000])
    expect(await trashed(store)).toEqual([])
    expect((await store.messages.append('below', [user('r')])).firstSeq).toBe(2)
  })

  test('one that was trashed earlier stays there, with what went with it', async () => {
    const { store, clock } = await open()
    await createFamily(store)
    await store.sessions.remove('two')
    clock.advance(1)
    await store.sessions.remove('parent')
    await store.sessions.undelete('parent')
    expect(await trashed(store)).toEqual(['two', 'below'])
    await store.sessions.undelete('two')
    expect(await trashed(store)).toEqual([])
  })

  test('a sub-agent comes back alone, and its parent stays in the trash', async () => {
    const { store } = await open()
    await createFamily(store)
    await store.sessions.remove('parent')
    await store.sessions.undelete('two')
    expect(await trashed(store)).toEqual(['parent', 'one'])
  })

  test('of one that is not in the trash it changes nothing', async () => {
    const { store } = await open()
    await createFamily(store)
    const before = await store.sessions.get('parent')
    expect(await store.sessions.undelete('parent')).toEqual(before)
    expect(await store.sessions.get('parent')).toEqual(before)
  })

  test('of an unknown or purged one it is not found', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 's' })
    await store.sessions.remove('s', { purge: true })
    for (const id of ['s', 'nobody']) {
      await expect(store.sessions.undelete(id)).rejects.toMatchObject({
        code: 'not-found',
        operation: 'sessions.undelete',
      })
    }
  })
})
