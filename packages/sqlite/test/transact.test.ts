// Several operations as one: what is kept and what is not.

import type { SessionStore, StoreScope } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { allKinds, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const

const everything = async (store: SessionStore) => ({
  sessions: (await store.sessions.list({ types: 'all', deleted: 'any', archived: 'any' })).items,
  threads: (await store.threads.list()).items,
  changes: (await store.changes.since()).changes,
  seqs: await seqsOf(store, 's'),
})

describe.each(allKinds)('$kind', ({ open }) => {
  test('what the work did is stored as one and its value answered', async () => {
    const { store } = await open()
    const answer = await store.transact(async ({ sessions, messages, threads }) => {
      const session = await sessions.create({ id: 's', name: 'Trip' })
      await messages.append('s', turns(1))
      await threads.create({ id: 't', name: 'Group' })
      await threads.attach('t', 's')
      // It sees what it wrote.
      expect((await sessions.get('s'))?.messageCount).toBe(2)
      expect((await messages.read('s')).items.length).toBe(2)
      expect((await threads.sessions('t')).items.map(({ id }) => id)).toEqual(['s'])
      return session.name
    })
    expect(answer).toBe('Trip')
    expect(await seqsOf(store, 's')).toEqual([1, 2])
    expect((await store.threads.get('t'))?.sessionCount).toBe(1)
  })

  test.each([
    ['an error', new TypeError('mine')],
    ['a text', 'mine'],
    ['nothing', undefined],
  ])('the caller’s own %s comes out untouched, and nothing is kept', async (_, mine) => {
    const { store } = await open()
    await store.messages.append('s', turns(1), create)
    await store.threads.create({ id: 't', name: 'Group' })
    const before = await everything(store)
    const work = async ({ sessions, messages, threads }: StoreScope) => {
      await sessions.create()
      await messages.append('s', turns(1))
      await messages.update('s', (await messages.read('s')).items[0]?.id ?? '', { content: 'changed' })
      await sessions.rewind('s', { toSeq: 1 })
      await sessions.remove('s', { purge: true })
      await threads.remove('t')
      throw mine
    }
    const caught = await store.transact(work).then(
      () => 'resolved',
      (error: unknown) => ({ error }),
    )
    expect((caught as { error: unknown }).error).toBe(mine)
    expect(await everything(store)).toEqual(before)
    // Numbers that were taken are taken again.
    expect((await store.sessions.create()).id).toBe('20260301_1')
  })

  test('an error of the store comes out as it was, with the operation that failed', async () => {
    const { store } = await open()
    const failing = store.transact(async ({ messages }) => {
      await messages.append('made', turns(1), create)
      await messages.append('nobody', turns(1))
    })
    await expect(failing).rejects.toMatchObject({ code: 'not-found', operation: 'messages.append' })
    expect(await store.sessions.get('made')).toBeUndefined()
  })

  test('work that throws at once rejects and leaves the store usable', async () => {
    const { store } = await open()
    const mine = new Error('mine')
    await expect(
      store.transact(() => {
        throw mine
      }),
    ).rejects.toBe(mine)
    await expect(store.transact(async () => 1)).resolves.toBe(1)
  })

  test('an operation that fails and is caught leaves nothing of itself, and the rest is kept', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'taken' })
    await store.transact(async ({ sessions, messages }) => {
      await messages.append('s', [user('one', { id: 'a' })], create)
      // The first message of the batch is new, the second is a conflict.
      const batch = [user('new', { id: 'b' }), user('other', { id: 'a' })]
      await expect(messages.append('s', batch)).rejects.toMatchObject({ code: 'conflict' })
      await expect(sessions.fork('s', { id: 'taken' })).rejects.toMatchObject({ code: 'already-exists' })
      await expect(messages.compact('s', { throughSeq: 9, summary: user('x') })).rejects.toMatchObject({
        code: 'invalid',
      })
      await messages.append('s', [user('two')])
    })
    expect(await store.sessions.get('s')).toMatchObject({
      messageCount: 2,
      nextSeq: 3,
      version: 2,
      preview: 'two',
    })
    expect(await seqsOf(store, 's')).toEqual([1, 2])
  })

  test('operations at once within it are taken one after the other', async () => {
    const { store } = await open()
    const receipts = await store.transact(async ({ sessions, messages }) => {
      await sessions.create({ id: 's' })
      const appends = Array.from({ length: 10 }, (_, index) => messages.append('s', [user(`m${index}`)]))
      const [, failed] = await Promise.allSettled([
        messages.read('s'),
        messages.append('nobody', [user('x')]),
        sessions.create(),
        sessions.create(),
      ])
      expect(failed.status).toBe('rejected')
      return Promise.all(appends)
    })
    expect(receipts.map(({ firstSeq }) => firstSeq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await store.sessions.list()).items.length).toBe(3)
  })

  test('a scope ends with its transaction', async () => {
    const { store } = await open()
    for (const end of ['kept', 'thrown away']) {
      let scope: StoreScope | undefined
      const done = store.transact(async (given) => {
        scope = given
        if (end !== 'kept') throw new Error(end)
      })
      await done.catch(() => undefined)
      for (const call of [scope?.sessions.create(), scope?.messages.read('s'), scope?.threads.list()])
        await expect(call).rejects.toMatchObject({ code: 'invalid' })
    }
    expect((await store.sessions.list()).items).toEqual([])
  })

  test('an operation that was not waited for is finished before the end', async () => {
    const { store } = await open()
    let refused: Promise<unknown> = Promise.resolve()
    await store.transact(async ({ sessions, messages }) => {
      await sessions.create({ id: 's' })
      const first = messages.append('s', [user('not waited for')])
      // What it would have called next comes too late.
      refused = first.then(() => messages.append('s', [user('too late')])).catch((error: unknown) => error)
    })
    expect(await seqsOf(store, 's')).toEqual([1])
    expect(await refused).toMatchObject({ code: 'invalid', operation: 'messages.append' })
  })

  test('an import has no place in it', async () => {
    const { store } = await open()
    await store.transact(async ({ sessions }) => {
      await expect(sessions.import({ id: 's' }, [user('q')])).rejects.toMatchObject({ code: 'unsupported' })
    })
    expect(await store.sessions.get('s')).toBeUndefined()
  })
})
