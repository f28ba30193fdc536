import type { Session } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import picocolors from 'picocolors'
import { describe, expect, it } from 'vitest'
import type { Context } from '../runtime.ts'
import { formatSession } from './session-head.ts'
import { formatTable } from './session-table.ts'

const start = Date.UTC(2026, 2, 1, 9)

const contextOf = (columns: number): Context => ({
  command: 'list',
  words: [],
  now: start + 3 * 3_600_000,
  settings: { url: '', isDefaultUrl: false, json: false, quiet: false, locale: 'en', timeZone: 'UTC' },
  output: {
    isTerminal: true,
    columns,
    colors: picocolors.createColors(false),
    write: async () => {},
    note: () => {},
    warn: () => {},
  },
  store: () => Promise.reject(new Error('not here')),
  existingStore: () => Promise.reject(new Error('not here')),
  storeIfAny: () => Promise.reject(new Error('not here')),
  defer: () => {},
  blocking: async (work) => work(),
})

async function sessions(): Promise<readonly Session[]> {
  const store = createMemoryStore({ clock: () => start })
  await store.sessions.create({
    id: '20260301_1',
    name: 'Login test fails only in CI',
    workingDir: '/srv/shop',
  })
  await store.sessions.create({ id: '20260301_2', name: '杭州三日游 👩‍👩‍👧', type: 'gateway' })
  await store.sessions.update('20260301_2', { pinned: true })
  await store.sessions.create({
    id: '20260301_3',
    tags: ['b', 'a'],
    providerName: 'p',
    modelConfig: { model: 'm' },
  })
  await store.messages.append('20260301_3', [{ role: 'user', content: 'What was said last' }])
  return (await store.sessions.list()).items
}

describe('formatTable', () => {
  it('shows a page of sessions', async () => {
    expect(formatTable({ items: await sessions() }, contextOf(100)).split('\n')).toStrictEqual([
      'ID          NAME                         TYPE     MSGS  ACTIVE  FOLDER',
      '20260301_3  What was said last           user        1  3h ago',
      '20260301_2  * 杭州三日游 👩‍👩‍👧              gateway     0  3h ago',
      '20260301_1  Login test fails only in CI  user        0  3h ago  /srv/shop',
      '',
    ])
  })

  it('fits a narrow terminal', async () => {
    expect(formatTable({ items: await sessions() }, contextOf(46)).split('\n')).toStrictEqual([
      'ID          NAME                  MSGS  ACTIVE',
      '20260301_3  What was said last       1  3h ago',
      '20260301_2  * 杭州三日游 👩‍👩‍👧          0  3h ago',
      '20260301_1  Login test fails on…     0  3h ago',
      '',
    ])
  })

  it('is nothing for an empty page', () => {
    expect(formatTable({ items: [] }, contextOf(80))).toBe('')
  })
})

describe('formatSession', () => {
  it('breaks its lines between facts', async () => {
    const [session] = await sessions()
    expect(formatSession(session as Session, contextOf(48)).split('\n')).toStrictEqual([
      'What was said last',
      '20260301_3 · user · 1 message',
      'created 2026-03-01 09:00 · last active 3h ago',
      'p · m',
      '#a · #b',
    ])
  })
})
