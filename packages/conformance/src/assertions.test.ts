import { StoreError } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { expect, test } from 'vitest'
import { rejects } from './assertions.ts'
import { traced } from './trace.ts'

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  return (error as Error | undefined)?.message
}

test('a report says what was called with what', async () => {
  const store = traced(createMemoryStore())
  expect(await failure(rejects('invalid', 'sessions.get', () => store.sessions.get('none')))).toBe(
    `sessions.get('none') was expected to reject with "invalid" and answered undefined`,
  )
  const append = () => store.messages.append('none', [{ role: 'user', content: 'x'.repeat(100) }])
  expect(await failure(rejects('conflict', 'messages.append', append))).toBe(
    `messages.append('none', [ { role: 'user', content: '${'x'.repeat(60)}'... 40 more characters } ]) was expected ` +
      'to reject with "conflict" and did with "not-found": there is no session "none"',
  )
})

test('a report says it of what a transaction hands out, and of errors that are no StoreErrors', async () => {
  const memory = createMemoryStore()
  const boom = () => Promise.reject(new Error('boom'))
  const store = traced({ ...memory, threads: { ...memory.threads, get: boom } })
  await store.transact(async ({ sessions }) => {
    expect(await failure(rejects('invalid', 'sessions.get', () => sessions.get('none')))).toBe(
      `sessions.get('none') was expected to reject with "invalid" and answered undefined`,
    )
  })
  expect(await failure(rejects('invalid', 'threads.get', () => store.threads.get('t')))).toBe(
    "threads.get('t') rejected with something else: Error: boom",
  )
})

test('what no traced store answered goes by its name', async () => {
  const answer = async () => 5
  expect(await failure(rejects('invalid', 'sessions.get', answer))).toBe(
    'sessions.get was expected to reject with "invalid" and answered 5',
  )
})

test('a traced store passes on what it is given, unread, and answers what the store answered', async () => {
  const memory = createMemoryStore()
  const promise = Promise.resolve(undefined)
  const given: unknown[] = []
  const get = (...input: unknown[]) => {
    given.push(...input)
    return promise
  }
  const store = traced({ ...memory, sessions: { ...memory.sessions, get } })
  const unreadable = new Proxy(
    {},
    { ownKeys: () => expect.fail('was read'), get: () => expect.fail('was read') },
  )
  expect(store.sessions.get(unreadable as never)).toBe(promise)
  expect(given[0] === unreadable).toBe(true)
  const broken = rejects('invalid', 'sessions.get', () => store.sessions.get(unreadable as never))
  expect(await failure(broken)).toBe(
    'sessions.get({}) was expected to reject with "invalid" and answered undefined',
  )
  const refused = rejects('closed', 'sessions.get', async () => {
    throw new StoreError('closed', 'the store is closed', { operation: 'sessions.get' })
  })
  expect((await refused).message).toBe('the store is closed')
})
