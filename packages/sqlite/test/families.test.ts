// Who goes along to the trash and out of it: descendants of the same owner or of nobody's, never another owner's. A parent
// is only named: the id may come to be another owner's session.

import { scopeStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { allKinds, turns } from './stores.ts'

describe.each(allKinds)('$kind', ({ open }) => {
  test('another owner’s sub-agent stays, one of nobody’s goes along', async () => {
    const { store } = await open()
    const agent = (id: string, ownerId: string) =>
      store.sessions.create({ id, ownerId, type: 'sub_agent', parentSessionId: 'parent' })
    await store.sessions.create({ id: 'parent', ownerId: 'ana' })
    await agent('own', 'ana')
    await agent('nobody', '')
    await agent('other', 'bo')
    const trashed = async () => {
      const found = await Promise.all(
        ['parent', 'own', 'nobody', 'other'].map((id) => store.sessions.get(id)),
      )
      return found.flatMap((session) => (session?.deletedAt === undefined ? [] : [session.id]))
    }
    await store.sessions.remove('parent')
    expect(await trashed()).toEqual(['parent', 'own', 'nobody'])
    await store.sessions.undelete('parent')
    expect(await trashed()).toEqual([])
    await store.sessions.remove('parent', { purge: true })
    const { items } = await store.sessions.list({ types: 'all' })
    // What it names is no matter of this owner's.
    expect(items.map(({ id, parentSessionId }) => [id, parentSessionId])).toEqual([['other', 'parent']])
  })

  test('what is nobody’s belongs to a session that was there before it, not to one that took the id later', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'older', type: 'sub_agent', parentSessionId: 'parent' })
    await store.sessions.create({ id: 'older-branch', type: 'sub_agent', parentSessionId: 'older' })
    await store.sessions.create({ id: 'parent', ownerId: 'ana' })
    await store.sessions.create({ id: 'younger', type: 'sub_agent', parentSessionId: 'parent' })
    await store.sessions.create({ id: 'youngest', type: 'hidden', parentSessionId: 'younger' })
    await store.sessions.create({ id: 'talk', parentSessionId: 'parent' })
    await store.sessions.remove('parent', { purge: true })
    const { items } = await store.sessions.list({ types: 'all', sort: 'created', order: 'asc' })
    expect(items.map(({ id, parentSessionId }) => [id, parentSessionId])).toEqual([
      ['older', 'parent'],
      ['older-branch', 'older'],
      ['talk', undefined],
    ])
  })

  test('of a session of nobody’s only those of nobody’s go along', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'parent' })
    await store.sessions.create({ id: 'nobody', type: 'hidden', parentSessionId: 'parent' })
    await store.sessions.create({ id: 'ana', type: 'hidden', parentSessionId: 'parent', ownerId: 'ana' })
    await store.sessions.remove('parent', { purge: true })
    expect((await store.sessions.list({ types: 'all' })).items.map(({ id }) => id)).toEqual(['ana'])
  })

  test('what one owner purges takes nothing of another’s, although its id was named as a parent before', async () => {
    const { store } = await open()
    const [ana, bo] = [scopeStore(store, { ownerId: 'ana' }), scopeStore(store, { ownerId: 'bo' })]
    // An import from elsewhere names parents that are not here, by ids that are made here later.
    await bo.sessions.import({ id: 'agent', type: 'sub_agent', parentSessionId: '20260301_1' }, turns(1))
    expect((await ana.sessions.create()).id).toBe('20260301_1')
    await ana.sessions.remove('20260301_1')
    expect((await bo.sessions.get('agent'))?.deletedAt).toBeUndefined()
    await ana.sessions.remove('20260301_1', { purge: true })
    expect((await bo.sessions.get('agent'))?.messageCount).toBe(2)
  })
})
