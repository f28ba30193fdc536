// Two owners on one store: whatever they do, each gets what a store of its own would give, but for numbers that count over
// the whole store (change numbers, made ids).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from './store.ts'

const owners = ['ana', 'bo'] as const
type Owner = (typeof owners)[number]

/** One call; `#` in an argument stands for the owner, so that the two never give the same id. */
interface Step {
  readonly by: Owner
  readonly method: string
  readonly given: readonly unknown[]
}

const sessionId = fc.constantFrom('#1', '#1', '#2', '#3')
const threadId = fc.constantFrom('#t1', '#t2')
const messageId = fc.constantFrom('m1', 'm2', 'm3')
const seq = fc.integer({ min: 0, max: 6 })
const message = fc.record({
  id: messageId,
  role: fc.constantFrom('user', 'assistant'),
  content: fc.constantFrom('one', 'two', ' '),
})
const key = fc.record({ channelType: fc.constant('web'), channelKey: fc.constantFrom('k1', 'k2') })
const session = fc.record(
  {
    id: sessionId,
    type: fc.constantFrom('user', 'sub_agent', 'hidden'),
    parentSessionId: sessionId,
    channelType: fc.constant('web'),
    channelKey: fc.constantFrom('k1', 'k2'),
    tags: fc.subarray(['x', 'y']),
  },
  { requiredKeys: ['id'] },
)

const by = fc.constantFrom(...owners)
const step = (method: string, ...given: fc.Arbitrary<unknown>[]): fc.Arbitrary<Step> =>
  fc.tuple(by, ...given).map(([owner, ...values]) => ({ by: owner as Owner, method, given: values }))

const anyStep = fc.oneof(
  { weight: 3, arbitrary: step('sessions.create', session) },
  {
    weight: 6,
    arbitrary: step(
      'messages.append',
      sessionId,
      fc.array(message, { maxLength: 3 }),
      fc.constantFrom(
        { createSession: true },
        { createSession: { type: 'sub_agent', parentSessionId: '#1' } },
        {},
      ),
    ),
  },
  step('sessions.get', sessionId),
  step(
    'sessions.update',
    sessionId,
    fc.constantFrom({ name: 'n' }, { pinned: true }, { archived: true }, { tags: [] }),
  ),
  step('sessions.addUsage', sessionId, fc.constant({ input: 1 })),
  step('sessions.current', key, fc.constantFrom({}, { create: {} }, { create: { parentSessionId: '#2' } })),
  step('sessions.resetContext', sessionId),
  step(
    'sessions.fork',
    sessionId,
    fc.oneof(fc.constant({}), fc.record({ id: sessionId }), fc.record({ atSeq: seq })),
  ),
  step('sessions.rewind', sessionId, fc.record({ toSeq: seq })),
  step('sessions.remove', sessionId, fc.constantFrom({}, { purge: true })),
  step('sessions.undelete', sessionId),
  step(
    'sessions.import',
    fc.record({ source: fc.constant({ agent: 'a', sessionId: 's', digest: '' }), id: sessionId }),
    fc.constant([{ role: 'user', content: 'imported' }]),
    fc.constantFrom({}, { onExisting: 'copy' }),
  ),
  step(
    'sessions.list',
    fc.constantFrom(
      {},
      { types: 'all', deleted: 'any' },
      { threadId: '#t1' },
      { tags: ['x'] },
      { branchOf: '#1', types: 'all' },
    ),
  ),
  step('messages.read', sessionId, fc.constantFrom({}, { limit: 1 })),
  step('messages.get', sessionId, messageId),
  step('messages.recentTurns', sessionId, fc.record({ turns: fc.integer({ min: 0, max: 2 }) })),
  step('messages.update', sessionId, messageId, fc.constant({ content: 'changed' })),
  step('messages.remove', sessionId, fc.array(messageId)),
  step('messages.replace', sessionId, fc.array(message, { maxLength: 2 })),
  step(
    'messages.compact',
    sessionId,
    fc.record({ throughSeq: seq, summary: fc.constant({ role: 'user', content: 'S' }) }),
  ),
  step('messages.truncate', sessionId, fc.record({ fromSeq: seq })),
  step('messages.clear', sessionId),
  step('threads.create', fc.record({ id: threadId, name: fc.constant('n') })),
  step('threads.get', threadId),
  step('threads.list', fc.constantFrom({}, { sessionId: '#1' })),
  step('threads.update', threadId, fc.constantFrom({}, { name: 'new' })),
  step('threads.remove', threadId),
  { weight: 3, arbitrary: step('threads.attach', threadId, sessionId) },
  step('threads.detach', threadId, sessionId),
  step('threads.sessions', threadId, fc.constantFrom({}, { limit: 1 })),
  step('threads.timeline', threadId, fc.constantFrom({}, { limit: 2 })),
)

const withOwner = (value: unknown, owner: Owner): unknown[] =>
  JSON.parse(JSON.stringify(value).replaceAll('"#', `"${owner}-`))

async function call(store: SessionStore, { by: owner, method, given }: Step): Promise<unknown> {
  const [part = '', name = ''] = method.split('.')
  const methods = store[part as 'sessions'] as unknown as {
    readonly [name: string]: (...values: unknown[]) => Promise<unknown>
  }
  try {
    return { value: (await methods[name]?.(...withOwner(given, owner))) ?? null }
  } catch (error) {
    const { code, message: text, operation } = error as { code: string; message: string; operation: string }
    return { code, text, operation }
  }
}

/** Ids a store makes, in the order they are first seen; what counts over the whole store is left out. */
function createReader() {
  const made = new Map<string, string>()
  return (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (name, member) =>
        name === 'changeSeq' || name === 'nextCursor' ? typeof member : member,
      ).replace(/20260301_\d+|made-\d+/g, (id) => {
        if (!made.has(id)) made.set(id, `made ${made.size + 1}`)
        return made.get(id) as string
      }),
    )
}

/** Everything that changed since a token, page by page. */
async function changesSince(store: SessionStore, token: string | undefined) {
  const changes: unknown[] = []
  let next = token
  for (;;) {
    const page = await store.changes.since(next, 2)
    next = page.token
    if (page.changes.length === 0) return { changes, token: next }
    changes.push(...page.changes)
  }
}

function openStore(): SessionStore {
  let made = 0
  return createMemoryStore({
    clock: () => Date.UTC(2026, 2, 1, 12),
    ids: { session: 'date', message: () => `made-${++made}` },
  })
}

test('each owner gets what a store of its own would give', async () => {
  const steps = fc.array(fc.oneof({ weight: 6, arbitrary: anyStep }, step('changes.since')), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const shared = openStore()
      const sides = Object.fromEntries(
        owners.map((ownerId) => {
          const stores = [scopeStore(shared, { ownerId }), scopeStore(openStore(), { ownerId })]
          return [
            ownerId,
            stores.map((store) => ({ store, read: createReader(), token: undefined as string | undefined })),
          ]
        }),
      )
      for (const one of given) {
        const answers = []
        for (const side of sides[one.by] ?? []) {
          if (one.method !== 'changes.since') {
            answers.push(side.read(await call(side.store, one)))
            continue
          }
          const { changes, token } = await changesSince(side.store, side.token)
          side.token = token
          answers.push(side.read(changes))
        }
        expect(answers[0]).toEqual(answers[1])
      }
    }),
    { numRuns: 300 },
  )
}, 60_000)
