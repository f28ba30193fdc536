// The change feed: exact over two handles on one file, and with removals that are forgotten in the end.

import { join } from 'node:path'
import { createTestClock } from '@sess/conformance'
import type { SessionChange, SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { allKinds, closeLater, turns, user } from './stores.ts'
import { temporaryFolder } from './support.ts'

const create = { createSession: true } as const
const day = 24 * 60 * 60 * 1000

/** Everything since a token, page by page, and the token then. */
async function drain(store: SessionStore, token?: string, limit = 3) {
  const changes: SessionChange[] = []
  let next = token
  for (;;) {
    const page = await store.changes.since(next, limit)
    expect(page.changes.length).toBeLessThanOrEqual(limit)
    next = page.token
    if (page.changes.length === 0) return { changes, token: next }
    changes.push(...page.changes)
  }
}

const brief = (changes: readonly SessionChange[]) =>
  changes.map(({ sessionId, removed }) => (removed ? `-${sessionId}` : sessionId))

describe.each(allKinds)('$kind', ({ open }) => {
  test('tells each session changed once, in the order of the last change', async () => {
    const { store } = await open()
    expect(await store.changes.since()).toEqual({
      changes: [],
      token: (await store.changes.since('now')).token,
    })
    for (const id of ['a', 'b', 'c'])
      await store.messages.append(id, turns(1), { createSession: { ownerId: id } })
    await store.sessions.update('a', { name: 'n' })
    await store.sessions.addUsage('b', { input: 1 })
    const { changes, token } = await store.changes.since()
    expect(changes).toEqual([
      { sessionId: 'c', ownerId: 'c', changeSeq: 3, removed: false, version: 1, lastSeq: 2 },
      { sessionId: 'a', ownerId: 'a', changeSeq: 4, removed: false, version: 1, lastSeq: 2 },
      { sessionId: 'b', ownerId: 'b', changeSeq: 5, removed: false, version: 1, lastSeq: 2 },
    ])
    expect(await store.changes.since(token)).toEqual({ changes: [], token })
    expect(await store.changes.since('now')).toEqual({ changes: [], token })
  })

  test('every kind of change is in it; reads and calls that change nothing are not', async () => {
    const { store } = await open()
    await store.messages.append(
      's',
      turns(2).map((one, index) => ({ ...one, id: `m${index}` })),
      create,
    )
    await store.threads.create({ id: 't', name: 't' })
    const changesOf = async (call: () => Promise<unknown>) => {
      const { token } = await store.changes.since('now')
      await call()
      return brief((await store.changes.since(token)).changes)
    }
    const { messages, sessions, threads } = store
    for (const call of [
      () => messages.append('s', [user('q', { id: 'last' })]),
      () => messages.update('s', 'm0', { content: 'x' }),
      () => messages.remove('s', ['m1']),
      () => messages.compact('s', { throughSeq: 1, summary: user('so far') }),
      () => messages.truncate('s', { fromSeq: 5 }),
      () => messages.replace('s', [user('q', { id: 'm' })]),
      () => sessions.resetContext('s'),
      () => sessions.update('s', { pinned: true }),
      () => sessions.addUsage('s', {}),
      () => sessions.remove('s'),
      () => sessions.undelete('s'),
    ])
      expect([call.toString(), await changesOf(call)]).toEqual([call.toString(), ['s']])
    expect(await changesOf(() => sessions.fork('s', { id: 'f' }))).toEqual(['f'])
    const { branch } = await sessions.rewind('f', { toSeq: 0 })
    expect(brief((await store.changes.since()).changes)).toEqual(['s', branch?.id, 'f'])
    for (const call of [
      () => messages.append('s', []),
      () => messages.update('s', 'm', {}),
      () => messages.remove('s', ['nothing']),
      () => messages.truncate('s', { fromSeq: 99 }),
      () => sessions.update('s', {}),
      () => sessions.undelete('s'),
      () => sessions.remove('nobody'),
      () => messages.read('s'),
      () => messages.recentTurns('s', { turns: 3 }),
      () => sessions.list(),
      () => threads.attach('t', 's'),
      () => threads.update('t', { name: 'n' }),
    ])
      expect([call.toString(), await changesOf(call)]).toEqual([call.toString(), []])
  })

  test('a purge is a removal, until a session of that id is made again', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'a', ownerId: 'ana' })
    await store.sessions.create({ id: 'b' })
    const { token } = await store.changes.since('now')
    await store.sessions.remove('a')
    expect(brief((await store.changes.since(token)).changes)).toEqual(['a'])
    await store.sessions.remove('a', { purge: true })
    expect((await store.changes.since(token)).changes).toEqual([
      { sessionId: 'a', ownerId: 'ana', changeSeq: 4, removed: true },
    ])
    await store.sessions.create({ id: 'a' })
    expect((await store.changes.since(token)).changes).toEqual([
      { sessionId: 'a', ownerId: '', changeSeq: 5, removed: false, version: 1, lastSeq: 0 },
    ])
  })

  test('a family that is purged is removed one by one; who loses a parent has changed', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'p' })
    await store.sessions.create({ id: 'agent', type: 'sub_agent', parentSessionId: 'p' })
    await store.sessions.create({ id: 'child', parentSessionId: 'p' })
    const { token } = await store.changes.since('now')
    await store.sessions.remove('p', { purge: true })
    expect(brief((await store.changes.since(token)).changes)).toEqual(['-p', '-agent', 'child'])
    expect((await store.sessions.get('child'))?.parentSessionId).toBeUndefined()
  })

  test('the counter never goes back, also when the newest session is purged', async () => {
    const { store } = await open()
    await store.sessions.create({ id: 'a' })
    await store.sessions.create({ id: 'b' })
    await store.sessions.remove('b', { purge: true })
    const { token } = await store.changes.since('now')
    await store.sessions.remove('a', { purge: true })
    expect((await store.changes.since(token)).changes.map(({ changeSeq }) => changeSeq)).toEqual([4])
    expect((await store.sessions.create({ id: 'c' })).changeSeq).toBe(5)
  })

  test('the answer to a limit goes on with its token, whatever is changed between', async () => {
    const { store } = await open()
    for (const id of ['a', 'b', 'c', 'd']) await store.sessions.create({ id })
    const first = await store.changes.since(undefined, 2)
    expect(brief(first.changes)).toEqual(['a', 'b'])
    await store.sessions.update('c', { name: 'n' })
    await store.sessions.update('a', { name: 'n' })
    const second = await store.changes.since(first.token, 2)
    expect(brief(second.changes)).toEqual(['d', 'c'])
    expect(brief((await store.changes.since(second.token, 2)).changes)).toEqual(['a'])
  })

  test.each([
    ['a token of nothing', 'nothing', 50, 'invalid-cursor'],
    ['an empty token', '', 50, 'invalid-cursor'],
    ['a limit of 0', undefined, 0, 'invalid'],
    ['a limit of 1001', undefined, 1001, 'invalid'],
    ['a limit that is none', 'now', 1.5, 'invalid'],
  ])('%s is refused', async (_, token, limit, code) => {
    const { store } = await open()
    await expect(store.changes.since(token, limit)).rejects.toMatchObject({
      code,
      operation: 'changes.since',
    })
  })

  test('a token of another store that is ahead is refused, and so is a cursor', async () => {
    const [here, there] = [(await open()).store, (await open()).store]
    for (const id of ['a', 'b']) await there.sessions.create({ id })
    const { token } = await there.changes.since('now')
    await here.sessions.create({ id: 'a' })
    await expect(here.changes.since(token)).rejects.toMatchObject({
      code: 'invalid-cursor',
      message: expect.stringContaining('is ahead of this store'),
    })
    const { nextCursor = '' } = await there.sessions.list({ limit: 1 })
    await expect(there.changes.since(nextCursor)).rejects.toMatchObject({ code: 'invalid-cursor' })
  })
})

test('two handles on one file: a reader that follows knows the whole state at every step', async () => {
  const step = fc.record({
    on: fc.constantFrom('a', 'b', 'c', 'd'),
    by: fc.nat(1),
    what: fc.constantFrom('append', 'append', 'rename', 'trash', 'undelete', 'purge', 'clear'),
    look: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
      const path = join(temporaryFolder(), 'sess.db')
      const handles = [await openSqliteStore({ path }), await openSqliteStore({ path })] as const
      const known = new Map<string, SessionChange>()
      let token: string | undefined
      for (const { on, by, what, look } of steps) {
        const { messages, sessions } = handles[by] as SessionStore
        const refused = (error: { code?: string }) => expect(error.code).toMatch(/not-found|already-exists/)
        if (what === 'append') await messages.append(on, [user('q')], create).catch(refused)
        if (what === 'rename') await sessions.update(on, { name: 'n' }).catch(refused)
        if (what === 'trash' || what === 'purge') await sessions.remove(on, { purge: what === 'purge' })
        if (what === 'undelete') await sessions.undelete(on).catch(refused)
        if (what === 'clear') await messages.clear(on).catch(refused)
        if (!look) continue
        const { changes, token: next } = await drain(handles[1 - by] as SessionStore, token, 2)
        const numbers = changes.map(({ changeSeq }) => changeSeq)
        expect(numbers).toEqual(numbers.toSorted((x, y) => x - y))
        expect(new Set(brief(changes).map((id) => id.replace('-', ''))).size).toBe(changes.length)
        for (const change of changes) {
          if (change.removed) known.delete(change.sessionId)
          else known.set(change.sessionId, change)
        }
        token = next
        const { items } = await sessions.list({ types: 'all', deleted: 'any', sort: 'created' })
        expect([...known.values()].toSorted((x, y) => x.changeSeq - y.changeSeq)).toEqual(
          items
            .map(({ id, ownerId, changeSeq, version, nextSeq }) => ({
              sessionId: id,
              ownerId,
              changeSeq,
              removed: false,
              version,
              lastSeq: nextSeq - 1,
            }))
            .toSorted((x, y) => x.changeSeq - y.changeSeq),
        )
      }
      for (const handle of handles) await handle.close()
    }),
    { numRuns: 20 },
  )
}, 60_000)

describe('the horizon', () => {
  async function openFeed() {
    const clock = createTestClock()
    const database = new Database(':memory:')
    const store = closeLater(await openSqliteStore({ database, clock: clock.now }))
    const tombstones = () =>
      database.prepare('SELECT session_id FROM session_tombstones ORDER BY change_seq').pluck().all()
    const purge = async (...ids: string[]) => {
      for (const id of ids) await store.sessions.remove(id, { purge: true })
    }
    for (const id of ['keep', 'a', 'b', 'c', 'd']) await store.sessions.create({ id })
    return { store, clock, tombstones, purge }
  }

  test('removals are remembered for 30 days, and forgotten by a purge after that', async () => {
    const { store, clock, tombstones, purge } = await openFeed()
    const { token: old } = await store.changes.since('now')
    await purge('a', 'b')
    const { token: seen } = await store.changes.since('now')
    clock.advance(30 * day)
    await purge('c')
    expect(tombstones()).toEqual(['a', 'b', 'c'])
    expect(brief((await store.changes.since(old)).changes)).toEqual(['-a', '-b', '-c'])
    clock.advance(1)
    await purge('d')
    expect(tombstones()).toEqual(['c', 'd'])
    // Who has seen the forgotten removals goes on; who has not must begin again.
    expect(brief((await store.changes.since(seen)).changes)).toEqual(['-c', '-d'])
    await expect(store.changes.since(old)).rejects.toMatchObject({
      code: 'invalid-cursor',
      operation: 'changes.since',
      message: expect.stringContaining('is older than what this store remembers'),
    })
    expect(brief((await store.changes.since()).changes)).toEqual(['keep', '-c', '-d'])
    // A later purge that forgets nothing does not take the horizon back.
    await purge('keep')
    await expect(store.changes.since(old)).rejects.toMatchObject({ code: 'invalid-cursor' })
  })

  test('the newest removal stays, so that the counter does not go back', async () => {
    const { store, clock, tombstones, purge } = await openFeed()
    await purge('keep', 'a', 'b', 'c', 'd')
    const { token } = await store.changes.since('now')
    clock.advance(31 * day)
    const { changeSeq } = await store.sessions.create({ id: 'new' })
    await purge('new')
    expect(tombstones()).toEqual(['new'])
    expect((await store.changes.since(token)).changes).toEqual([
      { sessionId: 'new', ownerId: '', changeSeq: changeSeq + 1, removed: true },
    ])
    clock.advance(31 * day)
    expect((await store.sessions.create({ id: 'newer' })).changeSeq).toBe(changeSeq + 2)
    expect(tombstones()).toEqual(['new'])
  })
})
