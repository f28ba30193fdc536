// One owner's view as a whole: who may have one, its transactions, its part of the change feed, and its end.

import { describe, expect, test } from 'vitest'
import { importConversations } from '../format/import.ts'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionChange } from '../port/changes.ts'
import type { Maintenance } from '../port/maintenance.ts'
import type { MessageSearch } from '../port/search.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from './store.ts'

const uuid = /^[0-9a-f-]{36}$/
const user = (content: string) => ({ role: 'user' as const, content })

function openTwo() {
  const store = createMemoryStore({ clock: () => 1000 })
  return { store, ana: scopeStore(store, { ownerId: 'ana' }), bo: scopeStore(store, { ownerId: 'bo' }) }
}

describe('an owner', () => {
  test.each([
    ['empty', ''],
    ['with a control character', 'a\nb'],
    ['too long', 'x'.repeat(257)],
    ['no text', 5 as never],
  ])('that is %s is invalid', (_, ownerId) => {
    expect(() => scopeStore(createMemoryStore(), { ownerId })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    )
  })

  test('is that of everything made through the view, named or not', async () => {
    const { ana } = openTwo()
    await ana.sessions.create({ id: 'a' })
    await ana.sessions.create({ id: 'b', ownerId: 'ana' })
    await ana.messages.append('c', [user('q')], { createSession: true })
    await ana.messages.append('d', [user('q')], { createSession: { ownerId: 'ana', name: 'n' } })
    await ana.sessions.import({ id: 'e' }, [])
    await ana.sessions.current({ channelType: 'w', channelKey: 'k' }, { create: { id: 'f' } })
    await ana.sessions.fork('c', { id: 'g' })
    const { branch } = await ana.sessions.rewind('c', { toSeq: 0 })
    await ana.threads.create({ id: 't', name: 'n' })
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', branch?.id ?? ''])
      expect([id, (await ana.sessions.get(id))?.ownerId]).toEqual([id, 'ana'])
    expect((await ana.threads.get('t'))?.ownerId).toBe('ana')
    expect((await ana.sessions.list({ ownerId: 'ana', types: 'all' })).items.length).toBe(8)
  })

  test('sees nothing of what is nobody’s', async () => {
    const { store, ana } = openTwo()
    await store.sessions.create({ id: 's' })
    expect(await ana.sessions.get('s')).toBeUndefined()
    expect((await ana.sessions.list()).items).toEqual([])
  })
})

test('what another owner exported is refused with the way out, and comes in by it', async () => {
  const { ana } = openTwo()
  const conversations = () => [
    { session: { name: 'theirs', ownerId: 'bo' }, messages: [user('q')], format: 'test' },
  ]
  const [refused] = await Array.fromAsync(importConversations(ana, conversations() as never))
  expect(refused).toMatchObject({
    error: {
      code: 'invalid',
      message:
        'session.ownerId: must be "ana", the owner of this view (importConversations: the option "ownerId")',
    },
  })
  const [taken] = await Array.fromAsync(
    importConversations(ana, conversations() as never, { ownerId: 'ana' }),
  )
  expect(taken).toMatchObject({
    receipt: { outcome: 'created', session: { ownerId: 'ana', name: 'theirs' } },
  })
})

test('the same source is imported by each owner once', async () => {
  const { ana, bo } = openTwo()
  const source = { agent: 'goose', sessionId: 'g', digest: '' }
  const first = await ana.sessions.import({ source }, [user('q')])
  expect((await bo.sessions.import({ source }, [user('q')])).outcome).toBe('created')
  const again = await ana.sessions.import({ source }, [user('q')])
  expect([again.outcome, again.session.id]).toEqual(['unchanged', first.session.id])
})

describe('capabilities', () => {
  test('are the store’s but for maintenance of the whole store', () => {
    const { store, ana } = openTwo()
    expect(ana.backend).toBe('memory')
    expect({ ...ana.capabilities, missing: [] }).toEqual({ ...store.capabilities, missing: [] })
    for (const name of ['check', 'optimize', 'vacuum', 'reindex', 'backup'])
      expect(ana.capabilities.missing).toContain(`maintenance.${name}`)
    expect(new Set(ana.capabilities.missing).size).toBe(ana.capabilities.missing.length)
  })
})

describe('transact', () => {
  test('hands out a view as well', async () => {
    const { ana, bo, store } = openTwo()
    await bo.sessions.create({ id: 'b' })
    await ana.transact(async ({ sessions, messages, threads }) => {
      await sessions.create({ id: 'a' })
      await messages.append('a', [user('q')])
      expect(await sessions.get('b')).toBeUndefined()
      await expect(messages.append('b', [user('x')])).rejects.toMatchObject({ code: 'not-found' })
      await expect(sessions.create({ id: 'b' })).rejects.toMatchObject({ code: 'already-exists' })
      await expect(threads.create({ name: 'n', ownerId: 'bo' })).rejects.toMatchObject({ code: 'invalid' })
      // Neither the view nor the store under it may be called from inside.
      for (const outer of [ana, bo, store])
        await expect(outer.sessions.get('a')).rejects.toMatchObject({
          code: 'invalid',
          operation: 'sessions.get',
        })
      await expect(ana.messages.clear('a')).rejects.toMatchObject({
        code: 'invalid',
        operation: 'messages.clear',
      })
    })
    expect((await ana.sessions.get('a'))?.messageCount).toBe(1)
    const mine = new Error('mine')
    const failed = ana.transact(async ({ sessions }) => {
      await sessions.remove('a', { purge: true })
      throw mine
    })
    await expect(failed).rejects.toBe(mine)
    expect((await ana.sessions.get('a'))?.messageCount).toBe(1)
  })
})

describe('changes', () => {
  const brief = (changes: readonly SessionChange[]) =>
    changes.map(({ sessionId, removed }) => (removed ? `-${sessionId}` : sessionId))

  test('are the owner’s own, removals too', async () => {
    const { ana, bo } = openTwo()
    const { token } = await ana.changes.since('now')
    for (const id of ['1', '2', '3']) {
      await ana.sessions.create({ id: `a${id}` })
      await bo.sessions.create({ id: `b${id}` })
    }
    await ana.sessions.remove('a1', { purge: true })
    await bo.sessions.remove('b1', { purge: true })
    expect(brief((await ana.changes.since(token)).changes)).toEqual(['a2', 'a3', '-a1'])
    expect(brief((await bo.changes.since(token)).changes)).toEqual(['b2', 'b3', '-b1'])
  })

  test('a small limit does not ask for each change of the others', async () => {
    const { store, bo } = openTwo()
    for (let index = 0; index < 1200; index++) await bo.sessions.create()
    let asked = 0
    const changes: SessionStore['changes'] = {
      async since(token, limit) {
        asked++
        return store.changes.since(token, limit)
      },
    }
    const ana = scopeStore({ ...store, changes }, { ownerId: 'ana' })
    expect((await ana.changes.since(undefined, 1)).changes).toEqual([])
    // 500, 500, 200 and the end.
    expect(asked).toBe(4)
    for (const limit of [0, -1, 1.5, 1001, Number.NaN, null as never])
      await expect(ana.changes.since(undefined, limit)).rejects.toMatchObject({ code: 'invalid' })
  })

  test('page by page: an empty page is the end, however many others have changed', async () => {
    const { ana, bo } = openTwo()
    await ana.sessions.create({ id: 'first' })
    for (let index = 0; index < 30; index++) await bo.sessions.create()
    await ana.sessions.create({ id: 'last' })
    for (let index = 0; index < 30; index++) await bo.sessions.create()
    for (const limit of [1, 2, 7, 1000]) {
      const seen: string[] = []
      let token: string | undefined
      for (;;) {
        const page = await ana.changes.since(token, limit)
        token = page.token
        if (page.changes.length === 0) break
        expect(page.changes.length).toBeLessThanOrEqual(limit)
        seen.push(...brief(page.changes))
      }
      expect(seen).toEqual(['first', 'last'])
      expect((await ana.changes.since(token, limit)).changes).toEqual([])
      await ana.sessions.update('last', { pinned: true })
      expect(brief((await ana.changes.since(token, limit)).changes)).toEqual(['last'])
    }
  })
})

describe('close', () => {
  test('does nothing: the store stays open for the others', async () => {
    const { store, ana, bo } = openTwo()
    await ana.close()
    await ana[Symbol.asyncDispose]()
    expect((await ana.sessions.create({ id: 'a' })).id).toBe('a')
    expect((await bo.sessions.create({ id: 'b' })).id).toBe('b')
    await store.close()
    // Errors name the method that was called, not the look at whose it is.
    await expect(ana.messages.update('a', 'm', {})).rejects.toMatchObject({
      code: 'closed',
      operation: 'messages.update',
    })
    await expect(ana.threads.timeline('t')).rejects.toMatchObject({
      code: 'closed',
      operation: 'threads.timeline',
    })
  })
})

describe('search and maintenance', () => {
  /** A view of a store that only writes down what it is asked. */
  function openRecorded() {
    const asked: unknown[] = []
    const answer = (value: unknown) => async (query: unknown) => {
      asked.push(query)
      return value
    }
    /** Finds something of Ana's, in any thread but Bo's. */
    const hits = async (query: { readonly ownerId: string; readonly threadId?: string }) => {
      asked.push(query)
      return { items: query.ownerId === 'ana' && [undefined, 'own'].includes(query.threadId) ? ['hit'] : [] }
    }
    const memory = createMemoryStore()
    const store: SessionStore = {
      ...memory,
      capabilities: { ...memory.capabilities, maintenance: ['check', 'prune', 'backup'], missing: [] },
      search: { messages: hits, sessions: hits } as unknown as MessageSearch,
      maintenance: { stats: answer('stats'), prune: answer('pruned') } as unknown as Maintenance,
    }
    return { memory, asked, ana: scopeStore(store, { ownerId: 'ana' }) }
  }

  test.each(['messages', 'sessions'] as const)('search.%s asks for the owner’s own', async (name) => {
    const { ana, asked, memory } = openRecorded()
    expect(await ana.search[name]({ text: 'x', limit: 2 })).toEqual({ items: ['hit'] })
    expect(await ana.search[name]({ text: 'x', ownerId: 'ana' })).toEqual({ items: ['hit'] })
    expect(await ana.search[name]({ text: 'x', ownerId: 'bo' })).toEqual({ items: [] })
    expect(asked).toEqual([
      { text: 'x', limit: 2, ownerId: 'ana' },
      { text: 'x', ownerId: 'ana' },
      { text: 'x', ownerId: expect.stringMatching(uuid) },
    ])
    await memory.threads.create({ id: 'theirs', name: 'n', ownerId: 'bo' })
    await memory.threads.create({ id: 'own', name: 'n', ownerId: 'ana' })
    expect(await ana.search[name]({ text: 'x', threadId: 'theirs' })).toEqual({ items: [] })
    expect(asked.at(-1)).toEqual({ text: 'x', ownerId: 'ana', threadId: expect.stringMatching(uuid) })
    expect(await ana.search[name]({ text: 'x', threadId: 'own' })).toEqual({ items: ['hit'] })
  })

  test('stats and prune are of the owner’s own, never of another’s', async () => {
    const { ana, asked } = openRecorded()
    expect(ana.capabilities.maintenance).toEqual(['prune'])
    expect(await ana.maintenance.stats({ by: ['day'] })).toBe('stats')
    expect(await ana.maintenance.stats()).toBe('stats')
    expect(await ana.maintenance.prune({ keep: 3, ownerId: 'ana' })).toBe('pruned')
    expect(asked).toEqual([{ by: ['day'], ownerId: 'ana' }, { ownerId: 'ana' }, { keep: 3, ownerId: 'ana' }])
    // Not the owner's own instead: that would prune what nobody meant.
    for (const [call, operation] of [
      [() => ana.maintenance.prune({ keep: 0, ownerId: 'bo', dryRun: false }), 'maintenance.prune'],
      [() => ana.maintenance.stats({ ownerId: 'bo' }), 'maintenance.stats'],
    ] as const)
      await expect(call()).rejects.toMatchObject({ code: 'invalid', operation })
    expect(asked.length).toBe(3)
  })

  test.each(['check', 'optimize', 'vacuum', 'reindex'] as const)(
    '%s of the whole store is unsupported',
    async (name) => {
      const { ana } = openRecorded()
      await expect(ana.maintenance[name]()).rejects.toMatchObject({
        code: 'unsupported',
        operation: `maintenance.${name}`,
      })
      await expect(ana.maintenance.backup('x')).rejects.toMatchObject({ code: 'unsupported' })
    },
  )
})
