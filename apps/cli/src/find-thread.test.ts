import type { SessionStore } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { resolveThread } from './find-thread.ts'

let store: SessionStore
const find = async (name: string) => (await resolveThread(store, name)).id

beforeEach(() => {
  let time = Date.UTC(2026, 2, 1)
  store = createMemoryStore({ clock: () => time++ })
})

describe('resolveThread', () => {
  it('takes an id before a name before the beginning of an id', async () => {
    await store.threads.create({ id: 'bug-1', name: 'Login' })
    await store.threads.create({ id: 'bug-10', name: 'bug-1' })
    await store.threads.create({ id: 'trip', name: 'bug' })
    expect(await find('bug-1')).toBe('bug-1')
    expect(await find('Login')).toBe('bug-1')
    expect(await find('bug-10')).toBe('bug-10')
    expect(await find('bug')).toBe('trip')
    expect(await find('tr')).toBe('trip')
  })

  it('names the threads that a name fits', async () => {
    for (const number of [1, 2]) await store.threads.create({ id: `bug-${number}`, name: 'Login' })
    await expect(find('Login')).rejects.toMatchObject({
      code: 'invalid',
      message: '"Login" is the name of several threads: bug-2, bug-1',
    })
    for (const number of [3, 4, 5, 6]) await store.threads.create({ id: `bug-${number}`, name: 'Other' })
    await expect(find('bug')).rejects.toMatchObject({
      code: 'invalid',
      message: '"bug" begins the ids of several threads: bug-6, bug-5, bug-4, bug-3, bug-2, ...',
    })
  })

  it('is not-found where there is none', async () => {
    await store.threads.create({ id: 'bug-1', name: 'Login' })
    for (const name of ['nothing', 'login', '']) {
      await expect(find(name)).rejects.toMatchObject({
        code: 'not-found',
        message: `there is no thread "${name}"`,
      })
    }
  })
})
