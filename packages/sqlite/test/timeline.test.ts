// The timeline of a thread: the messages of all its sessions by time, then the order of attaching, then seq.

import type { ImportedMessage, MessagePage, SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { allKinds, bothKinds, user } from './stores.ts'

/** Where each message of a timeline stands, page by page; `between` runs after each page. */
async function walk(
  store: SessionStore,
  limit: number,
  between: (page: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page: MessagePage = await store.threads.timeline('t', {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    seen.push(...page.items.map(({ sessionId, seq }) => `${sessionId}:${seq}`))
    cursor = page.nextCursor
    if (cursor !== undefined) await between(++pages)
  } while (cursor !== undefined)
  return seen
}

const at = (createdAt: number, content = 'x'): ImportedMessage => user(content, { createdAt })

async function importInto(store: SessionStore, id: string, times: readonly number[]): Promise<void> {
  await store.sessions.import(
    { id },
    times.map((time) => at(time)),
  )
  await store.threads.attach('t', id)
}

describe.each(allKinds)('$kind', ({ open }) => {
  test('is in the order of time, then of attaching, then of seq', async () => {
    const { store } = await open()
    await store.threads.create({ id: 't', name: 'Trip' })
    await importInto(store, 'b', [5, 5, 3])
    await importInto(store, 'a', [5, 4, 5])
    await importInto(store, 'c', [-1, 5])
    const expected = ['c:1', 'b:3', 'a:2', 'b:1', 'b:2', 'a:1', 'a:3', 'c:2']
    for (const limit of [1, 2, 3, 7, 8, 9]) expect(await walk(store, limit)).toEqual(expected)
  })

  test('leaves out sessions in the trash, and those that were detached', async () => {
    const { store } = await open()
    await store.threads.create({ id: 't', name: 'Trip' })
    for (const id of ['a', 'b', 'c']) await importInto(store, id, [1, 2])
    await store.sessions.remove('b')
    await store.threads.detach('t', 'c')
    expect(await walk(store, 1)).toEqual(['a:1', 'a:2'])
    await store.sessions.undelete('b')
    expect(await walk(store, 3)).toEqual(['a:1', 'b:1', 'a:2', 'b:2'])
  })

  test('gives whole messages, also those that agents or people cannot see', async () => {
    const { store } = await open()
    await store.threads.create({ id: 't', name: 'Trip' })
    await store.sessions.create({ id: 's' })
    await store.threads.attach('t', 's')
    await store.messages.append('s', [
      user('q', { metadata: { userVisible: false, agentVisible: false } }),
      { role: 'system', content: [{ type: 'other', k: 1 }] },
    ])
    expect((await store.threads.timeline('t')).items).toEqual((await store.messages.read('s')).items)
  })

  test('a page ends after 4 MiB of content, with at least one message', async () => {
    const { store } = await open()
    await store.threads.create({ id: 't', name: 'Trip' })
    const half = 'x'.repeat(2_097_152 - 27)
    // Each is exactly half of a page: [{"type":"text","text":"…"}]
    await store.sessions.import({ id: 'a' }, [
      at(1, half),
      at(3, half),
      at(5, 'y'),
      at(7, `${half}${half}${half}`),
    ])
    await store.sessions.import({ id: 'b' }, [at(2, half), at(4, half), at(6, 'y'), at(8, 'y')])
    for (const id of ['a', 'b']) await store.threads.attach('t', id)
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page: MessagePage = await store.threads.timeline('t', cursor === undefined ? {} : { cursor })
      pages.push(page.items.map(({ sessionId, seq }) => `${sessionId}:${seq}`))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([['a:1', 'b:1'], ['a:2', 'b:2'], ['a:3', 'b:3'], ['a:4'], ['b:4']])
  })
})

describe.each(bothKinds)('ten thousand messages, $kind', ({ open }) => {
  test('come in order, each once, while messages are added before and behind', async () => {
    const { store } = await open()
    await store.threads.create({ id: 't', name: 'Trip' })
    const places: { readonly name: string; readonly key: readonly [number, number, number] }[] = []
    for (const [position, id] of ['d', 'a', 'c', 'b'].entries()) {
      // Times go up and down, and the same ones come in every session.
      const times = Array.from({ length: 2500 }, (_, index) => 1000 + ((index * 7919) % 1013))
      await importInto(store, id, times)
      places.push(
        ...times.map((time, index) => ({
          name: `${id}:${index + 1}`,
          key: [time, position, index + 1] as const,
        })),
      )
    }
    const expected = places
      .toSorted((x, y) => x.key[0] - y.key[0] || x.key[1] - y.key[1] || x.key[2] - y.key[2])
      .map(({ name }) => name)
    const added = new Set<string>()
    const seen = await walk(store, 777, async (page) => {
      // One before everything, one behind, one somewhere between.
      for (const [id, createdAt] of [
        ['a', 1],
        ['b', 10_000 + page],
        ['c', 1500],
      ] as const) {
        const { firstSeq } = await store.messages.append(id, [user('new', { createdAt })])
        added.add(`${id}:${firstSeq}`)
      }
    })
    expect(seen.filter((name) => !added.has(name))).toEqual(expected)
    expect(new Set(seen).size).toBe(seen.length)
    // What came behind the last page's end is there too, in its order.
    expect(seen.slice(-12).every((name) => name.startsWith('b:'))).toBe(true)
    expect(seen.filter((name) => name.startsWith('a:') && added.has(name))).toEqual([])
  })
})
