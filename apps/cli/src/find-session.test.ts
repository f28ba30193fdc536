import type { SessionStore } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { findSession, resolveLiveSession, resolveSession, resolveSessions } from './find-session.ts'

let store: SessionStore
let time: number
const find = async (name: string) => (await findSession(store, name))?.id

beforeEach(() => {
  time = Date.UTC(2026, 2, 1)
  store = createMemoryStore({ clock: () => time++ })
})

const importFrom = (agent: string, sessionId: string) =>
  store.sessions.import({ source: { agent, sessionId, digest: '' } }, [])

describe('findSession', () => {
  it('takes an id before the beginning of one', async () => {
    for (const id of ['job-1', 'job-10', 'other']) await store.sessions.create({ id })
    expect(await find('job-1')).toBe('job-1')
    expect(await find('job-10')).toBe('job-10')
    expect(await find('o')).toBe('other')
    expect(await find('nobody')).toBeUndefined()
    expect(await find('')).toBeUndefined()
  })

  it('names the sessions that a beginning fits', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) await store.sessions.create({ id: `job-${number}` })
    await expect(find('job')).rejects.toMatchObject({
      code: 'invalid',
      message: '"job" begins the ids of several sessions: job-6, job-5, job-4, job-3, job-2, ...',
    })
  })

  it('finds sessions of every kind, those in the trash where no other is meant', async () => {
    await store.sessions.create({ id: 'hidden-1', type: 'hidden' })
    await store.sessions.create({ id: 'a-trashed' })
    await store.sessions.remove('a-trashed')
    expect(await find('hid')).toBe('hidden-1')
    expect(await find('a-t')).toBe('a-trashed')
    await store.sessions.create({ id: 'a-there' })
    expect(await find('a-t')).toBe('a-there')
    expect((await findSession(store, 'a-t', { trashFirst: true }))?.id).toBe('a-trashed')
    expect((await findSession(store, 'a-there', { trashFirst: true }))?.id).toBe('a-there')
  })

  it('finds a session by the id it had elsewhere', async () => {
    const { session } = await importFrom('goose', '20250101_7')
    expect(await find('20250101_7')).toBe(session.id)
    expect(await find('20250101')).toBeUndefined()
    await importFrom('cowagent', '20250101_7')
    await expect(find('20250101_7')).rejects.toThrowError('"20250101_7" was the id of several sessions')
    await store.sessions.create({ id: '20250101_7' })
    expect(await find('20250101_7')).toBe('20250101_7')
  })

  it('counts back from the latest', async () => {
    expect(await find('@last')).toBeUndefined()
    for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
    await store.sessions.create({ id: 'sub', type: 'sub_agent' })
    await store.messages.append('a', [{ role: 'user', content: 'hi' }])
    expect(await find('@last')).toBe('a')
    expect(await find('@1')).toBe('a')
    expect(await find('@2')).toBe('c')
    expect(await find('@3')).toBe('b')
    expect(await find('@4')).toBeUndefined()
    expect(await find('@0')).toBeUndefined()
  })

  it('takes whole ids only when asked to', async () => {
    await store.sessions.create({ id: 'job-10' })
    expect(await findSession(store, 'job-1', { whole: true })).toBeUndefined()
  })
})

describe('resolveSession', () => {
  it('is not-found where there is none', async () => {
    await expect(resolveSession(store, 'nobody')).rejects.toMatchObject({
      code: 'not-found',
      message: 'there is no session "nobody"',
    })
  })
})

describe('resolveLiveSession', () => {
  it('says where a session in the trash is', async () => {
    await store.sessions.create({ id: 'a-trashed' })
    expect((await resolveLiveSession(store, 'a-t')).id).toBe('a-trashed')
    await store.sessions.remove('a-trashed')
    await expect(resolveLiveSession(store, 'a-t')).rejects.toMatchObject({
      code: 'not-found',
      message: 'session "a-trashed" is in the trash: "sess undelete a-trashed" brings it back',
    })
  })
})

describe('resolveSessions', () => {
  it('gives each once, in the order named', async () => {
    for (const id of ['a', 'b', 'c']) await store.sessions.create({ id })
    const found = await resolveSessions(store, ['c', 'a', '@last'], resolveSession)
    expect(found.map(({ id }) => id)).toStrictEqual(['c', 'a'])
    await expect(resolveSessions(store, ['a', 'nobody'], resolveSession)).rejects.toThrow('"nobody"')
  })
})
