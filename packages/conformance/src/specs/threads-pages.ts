// Pages of a thread: its sessions, and the timeline of their messages.

import assert from 'node:assert/strict'
import type { Message, SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { ids, readAll, seqs, texts, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'threads'
const create = { createSession: true } as const
const megabyte = 1_048_576
const timeline = ['threads.create', 'threads.attach', 'threads.timeline'] as const

/** Everything a thread's method gives, page by page. */
async function walk<T>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<{
    readonly items: readonly T[]
    readonly nextCursor?: string
  }>,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<T[]> {
  const found: T[] = []
  let cursor: string | undefined
  do {
    const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) })
    assert.ok(page.items.length <= limit, 'a page is longer than its limit')
    assert.ok(page.items.length > 0 || page.nextCursor === undefined, 'an empty page has a next one')
    found.push(...page.items)
    cursor = page.nextCursor
    if (cursor !== undefined) await between?.()
  } while (cursor !== undefined)
  return found
}

/** Thread `t` with sessions of the given messages, [text, createdAt] each, attached in this order. */
async function prepare(
  store: SessionStore,
  sessions: { readonly [id: string]: readonly (readonly [string, number])[] },
): Promise<void> {
  await store.threads.create({ id: 't', name: 'n' })
  for (const [id, messages] of Object.entries(sessions)) {
    const batch = messages.map(([value, createdAt]) => user(value, { createdAt }))
    await store.messages.append(id, batch, create)
    await store.threads.attach('t', id)
  }
}

async function timelineOf(store: SessionStore, limit = 50): Promise<Message[]> {
  return walk((page) => store.threads.timeline('t', page), limit)
}

export const threadPageSpecs: readonly Spec[] = [
  {
    id: 'THR-40',
    group,
    title: 'pages of the sessions of a thread neither lose nor repeat one, also while sessions come and go',
    needs: ['threads.create', 'threads.attach', 'threads.detach', 'threads.sessions'],
    async run({ store }) {
      await store.threads.create({ id: 't', name: 'n' })
      for (const number of upTo(10)) {
        await store.sessions.create({ id: `s${number}` })
        await store.threads.attach('t', `s${number}`)
      }
      const all = upTo(10).map((number) => `s${number}`)
      for (const limit of [1, 3, 10]) {
        assert.deepEqual(ids(await walk((page) => store.threads.sessions('t', page), limit)), all)
      }
      const gone = ['s1', 's2', 's3']
      const seen = await walk(
        (page) => store.threads.sessions('t', page),
        4,
        () => store.threads.detach('t', gone.shift() ?? ''),
      )
      assert.deepEqual(ids(seen), all)
    },
  },
  {
    id: 'THR-41',
    group,
    title: 'a page of the sessions of a thread is bound to it: another one’s cursor is invalid-cursor',
    needs: ['threads.create', 'threads.attach', 'threads.sessions', 'threads.list'],
    async run({ store }) {
      for (const id of ['t', 'u']) await store.threads.create({ id, name: id })
      for (const id of ['s1', 's2']) {
        await store.sessions.create({ id })
        for (const thread of ['t', 'u']) await store.threads.attach(thread, id)
      }
      const cursor = defined((await store.threads.sessions('t', { limit: 1 })).nextCursor)
      const foreign = defined((await store.threads.list({ limit: 1 })).nextCursor)
      for (const [thread, wrong] of [
        ['u', cursor],
        ['t', foreign],
        ['t', 'x'],
      ] as const) {
        await rejects('invalid-cursor', 'threads.sessions', () =>
          store.threads.sessions(thread, { cursor: wrong }),
        )
      }
      for (const page of [{ limit: 0 }, { limit: 1001 }, { order: 'asc' }]) {
        await rejects('invalid', 'threads.sessions', () => store.threads.sessions('t', page as object))
      }
      for (const id of ['unknown', '', '..'])
        assert.deepEqual(await store.threads.sessions(id), { items: [] })
    },
  },
  {
    id: 'THR-50',
    group,
    title: 'a timeline holds the messages of all its sessions by time, each with its own session',
    needs: timeline,
    async run({ store }) {
      await prepare(store, {
        a: [
          ['a1', 10],
          ['a2', 40],
        ],
        b: [
          ['b1', 20],
          ['b2', 30],
        ],
      })
      await store.messages.append('elsewhere', [user('x', { createdAt: 25 })], create)
      const found = await timelineOf(store)
      assert.deepEqual(texts(found), ['a1', 'b1', 'b2', 'a2'])
      const own = [...(await readAll(store, 'a')), ...(await readAll(store, 'b'))]
      assert.deepEqual(
        found,
        own.toSorted((one, other) => one.createdAt - other.createdAt),
      )
    },
  },
  {
    id: 'THR-51',
    group,
    title: 'equal times stand in the order of attaching, and within a session by seq',
    needs: timeline,
    async run({ store }) {
      await prepare(store, {
        b: [
          ['b1', 10],
          ['b2', 10],
        ],
        a: [
          ['a1', 10],
          ['a2', 5],
          ['a3', 10],
        ],
      })
      assert.deepEqual(texts(await timelineOf(store)), ['a2', 'b1', 'b2', 'a1', 'a3'])
    },
  },
  {
    id: 'THR-52',
    group,
    title: 'pages of a timeline neither lose nor repeat a message, also where times are equal',
    needs: timeline,
    async run({ store }) {
      const times = [30, 10, 10, 20, 10, 10, 30]
      await prepare(store, {
        a: times.map((time, index) => [`a${index}`, time]),
        b: times.map((time, index) => [`b${index}`, time]),
        c: times.map((time, index) => [`c${index}`, time]),
      })
      const whole = await timelineOf(store, 100)
      assert.equal(whole.length, 21)
      for (const limit of [1, 4, 20, 21]) assert.deepEqual(await timelineOf(store, limit), whole)
      await store.messages.append('a', [user('late', { createdAt: 30 })])
      assert.deepEqual(texts(await timelineOf(store, 5)).length, 22)
    },
  },
  {
    id: 'THR-53',
    group,
    title: 'messages of a session in the trash, detached or purged are not in the timeline',
    needs: [...timeline, 'threads.detach', 'sessions.remove'],
    async run({ store }) {
      await prepare(store, {
        kept: [['kept', 1]],
        trashed: [['trashed', 2]],
        purged: [['purged', 3]],
        detached: [['detached', 4]],
      })
      await store.sessions.remove('trashed')
      await store.sessions.remove('purged', { purge: true })
      await store.threads.detach('t', 'detached')
      assert.deepEqual(texts(await timelineOf(store)), ['kept'])
    },
  },
  {
    id: 'THR-54',
    group,
    title: 'a timeline of an unknown, impossible or empty thread is empty',
    needs: ['threads.create', 'threads.attach', 'threads.timeline'],
    async run({ store }) {
      await store.threads.create({ id: 't', name: 'n' })
      await store.sessions.create({ id: 's' })
      await store.threads.attach('t', 's')
      for (const id of ['t', 'unknown', '', '..']) {
        assert.deepEqual(await store.threads.timeline(id), { items: [] }, JSON.stringify(id))
      }
    },
  },
  {
    id: 'THR-55',
    group,
    title: 'a page of a timeline holds 50 unless asked for 1 to 1,000, and is bound to its thread',
    needs: timeline,
    async run({ store }) {
      await store.threads.create({ id: 'u', name: 'n' })
      await prepare(store, { s: upTo(51).map((number) => [`${number}`, number] as const) })
      await store.threads.attach('u', 's')
      const page = await store.threads.timeline('t')
      assert.deepEqual(seqs(page.items), upTo(50))
      assert.equal('nextCursor' in (await store.threads.timeline('t', { limit: 51 })), false)
      const cursor = defined(page.nextCursor)
      await rejects('invalid-cursor', 'threads.timeline', () => store.threads.timeline('u', { cursor }))
      await rejects('invalid-cursor', 'threads.timeline', () => store.threads.timeline('t', { cursor: 'x' }))
      for (const wrong of [{ limit: 0 }, { limit: 1001 }, { order: 'desc' }]) {
        await rejects('invalid', 'threads.timeline', () => store.threads.timeline('t', wrong as object))
      }
    },
  },
  {
    id: 'THR-56',
    group,
    title: 'a page of a timeline ends after 4 MiB of content and holds at least one message',
    needs: timeline,
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      await store.threads.create({ id: 't', name: 'n' })
      for (const number of upTo(4)) {
        const id = `s${number % 2}`
        const large = user(`${number}${'x'.repeat(1.5 * megabyte)}`, { createdAt: number })
        await store.messages.append(id, [large], create)
        await store.threads.attach('t', id)
      }
      const page = await store.threads.timeline('t')
      assert.deepEqual(
        page.items.map(({ createdAt }) => createdAt),
        [1, 2],
      )
      assert.deepEqual(
        (await timelineOf(store)).map(({ createdAt }) => createdAt),
        upTo(4),
      )
    },
  },
  {
    id: 'THR-57',
    group,
    title: 'a damaged row is left out of the timeline and reported',
    needs: timeline,
    needsHandle: ['damage'],
    async run({ store, damage }) {
      await store.threads.create({ id: 't', name: 'n' })
      const batch = turns(2).map((message, index) => ({ ...message, id: `m${index}` }))
      await store.messages.append('s', batch, create)
      await store.threads.attach('t', 's')
      await damage({ sessionId: 's', messageId: 'm1' })
      const page = await store.threads.timeline('t')
      assert.deepEqual(seqs(page.items), [1, 3, 4])
      assert.deepEqual(
        page.damaged?.map(({ seq }) => seq),
        [2],
      )
    },
  },
  {
    id: 'THR-58',
    group,
    title: 'a page of a timeline ends after 4 MiB of content and metadata together',
    needs: ['threads.create', 'threads.attach', 'threads.timeline'],
    needsMessageBytes: 2 * megabyte,
    async run({ store }) {
      const metadata = { note: 'x'.repeat(1.5 * megabyte) }
      for (const number of [1, 2, 3]) {
        await store.messages.append('s', [user(`${number}`, { metadata })], { createSession: true })
      }
      await store.threads.create({ id: 't', name: 't' })
      await store.threads.attach('t', 's')
      const page = await store.threads.timeline('t')
      assert.deepEqual(seqs(page.items), [1, 2])
      const next = await store.threads.timeline('t', { cursor: defined(page.nextCursor) })
      assert.deepEqual([seqs(next.items), next.nextCursor], [[3], undefined])
    },
  },
]
