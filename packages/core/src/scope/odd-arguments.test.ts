// What is no object, in each place where the view reads a member of it: refused like the store refuses it.

import { expect, test } from 'vitest'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from './store.ts'

const places: readonly (readonly [
  operation: string,
  call: (view: SessionStore, odd: never) => Promise<unknown>,
])[] = [
  ['sessions.create', ({ sessions }, odd) => sessions.create(odd)],
  ['sessions.list', ({ sessions }, odd) => sessions.list(odd)],
  ['sessions.list', ({ sessions }, odd) => sessions.list({ ownerId: odd })],
  ['sessions.current', ({ sessions }, odd) => sessions.current(odd)],
  ['sessions.current', ({ sessions }, odd) => sessions.current({ channelType: 'w', channelKey: 'k' }, odd)],
  [
    'sessions.current',
    ({ sessions }, odd) => sessions.current({ channelType: 'w', channelKey: 'k' }, { create: odd }),
  ],
  ['sessions.import', ({ sessions }, odd) => sessions.import(odd, [])],
  ['messages.append', ({ messages }, odd) => messages.append('s', [], odd)],
  ['messages.append', ({ messages }, odd) => messages.append('s', [], { createSession: odd })],
  ['messages.read', ({ messages }, odd) => messages.read('s', odd)],
  ['threads.create', ({ threads }, odd) => threads.create(odd)],
  ['threads.list', ({ threads }, odd) => threads.list(odd)],
  ['threads.sessions', ({ threads }, odd) => threads.sessions('t', odd)],
  ['threads.timeline', ({ threads }, odd) => threads.timeline('t', odd)],
  ['search.messages', ({ search }, odd) => search.messages(odd)],
  ['search.sessions', ({ search }, odd) => search.sessions(odd)],
  ['maintenance.stats', ({ maintenance }, odd) => maintenance.stats(odd)],
  ['maintenance.prune', ({ maintenance }, odd) => maintenance.prune(odd)],
  ['transact', (view, odd) => view.transact(odd)],
]

const unreadable = new Proxy(
  {},
  {
    ownKeys() {
      throw new TypeError('no')
    },
  },
)

test.each(
  places.flatMap(([operation, call]) =>
    [null, 5, false, [], unreadable].map((odd) => ({ operation, call, odd, said: describe(odd) })),
  ),
)('$operation of $said is invalid', async ({ operation, call, odd }) => {
  const store = createMemoryStore()
  const view = scopeStore(store, { ownerId: 'ana' })
  await expect(call(view, odd as never)).rejects.toMatchObject({ code: 'invalid', operation })
  expect((await store.changes.since(undefined)).changes).toEqual([])
})

function describe(odd: unknown): string {
  return odd === unreadable ? 'a proxy' : JSON.stringify(odd)
}

test.each([null, undefined, 5, {}, { ownerId: null }, { ownerId: 'ana', other: 1 }])(
  'a view for %j is refused',
  (odd) => {
    expect(() => scopeStore(createMemoryStore(), odd as never)).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    )
  },
)
