// Random histories of a store: operations with small numbers of ids, so that they meet. Made by fast-check, which prints
// the seed of a history that fails.

import type { ContentBlock, NewMessage, NewSession, SessionType } from '@sess/core'
import fc from 'fast-check'

/** One call; `run` makes it on a store and answers what it gave. */
export interface Step {
  readonly name: string
  readonly arguments: readonly unknown[]
}

const sessionId = fc.constantFrom('a', 'a', 'a', 'b', 'b', '20260301_1', '20260301_2')
const messageId = fc.constantFrom('m1', 'm2', 'm3', 'm4', '20260301_1:1')
const threadId = fc.constantFrom('t1', 't2')
const seq = fc.integer({ min: 0, max: 9 })
const owner = fc.constantFrom('', 'ana')
const text = fc.constantFrom('one', '  ', 'two\nlines', '悬空引用', '')

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ type: 'text' as const, text: value })) },
  fc.constant({ type: 'tool_use' as const, id: 'u', name: 'bash', input: { cmd: 'ls' } }),
  fc.constant({ type: 'tool_result' as const, tool_use_id: 'u', content: 'ok' }),
  fc.constant({ type: 'thinking' as const, thinking: 'hm' }),
  fc.constant({ type: 'image' as const, source: { type: 'url' as const, url: 'x' } }),
)

const metadata = fc.constantFrom(undefined, {}, { agentVisible: false }, { userVisible: false }, { k: [1] })

const message: fc.Arbitrary<NewMessage> = fc
  .record({
    id: fc.option(messageId, { nil: undefined, freq: 1 }),
    role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'system', 'tool'),
    content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
    createdAt: fc.option(fc.integer({ min: 1_772_366_000_000, max: 1_772_366_000_005 }), { nil: undefined }),
    metadata,
  })
  .map((fields) => fields as NewMessage)

const messages = fc.array(message, { minLength: 1, maxLength: 4 })
const type = fc.constantFrom<SessionType>('user', 'scheduled', 'sub_agent', 'hidden', 'gateway')
const tags = fc.subarray(['x', 'y', 'z'])

const newSession: fc.Arbitrary<NewSession> = fc.record(
  {
    id: sessionId,
    name: fc.constantFrom('Straße', 'two', '三'),
    type,
    ownerId: owner,
    channelType: fc.constantFrom('cli', 'web'),
    channelKey: fc.constantFrom('k1', 'k2'),
    parentSessionId: sessionId,
    tags,
    metadata: fc.constantFrom({}, { project: 'p' }),
  },
  { requiredKeys: [] },
)

const patch = fc.record(
  {
    name: fc.constantFrom('renamed', '改名'),
    nameSource: fc.constantFrom('auto', 'user'),
    ifNameSource: fc.constantFrom(['default'], ['auto', 'user']),
    type,
    workingDir: fc.constantFrom('/w', null),
    metadata: fc.constant({ project: 'q' }),
    tags,
    pinned: fc.boolean(),
    archived: fc.boolean(),
  },
  { requiredKeys: [] },
)

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('op1', 'op2', 'op3') },
)
const version = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 6 }) },
)

const query = fc.record(
  {
    types: fc.constantFrom('all' as const, ['user', 'hidden'] as SessionType[], [] as SessionType[]),
    ownerId: owner,
    parentSessionId: sessionId,
    branchOf: sessionId,
    threadId,
    tags,
    metadata: fc.constantFrom({ project: 'p' }, { project: null }),
    archived: fc.constantFrom(true, 'any' as const),
    deleted: fc.constantFrom(true, 'any' as const),
    pinned: fc.boolean(),
    idPrefix: fc.constantFrom('2026', 'a'),
    nameContains: fc.constantFrom('STRASSE', '名'),
    withMessages: fc.boolean(),
    sort: fc.constantFrom('active', 'created'),
    order: fc.constantFrom('asc', 'desc'),
    pinnedFirst: fc.boolean(),
    limit: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
)

function step(name: string, ...values: fc.Arbitrary<unknown>[]): fc.Arbitrary<Step> {
  return fc.tuple(...values).map((given) => ({ name, arguments: given }))
}

const turns = fc.record(
  {
    turns: fc.integer({ min: 0, max: 3 }),
    mode: fc.constantFrom('text', 'full'),
    beforeSeq: fc.integer({ min: 1, max: 9 }),
    scope: fc.constantFrom('context', 'all'),
  },
  { requiredKeys: ['turns'] },
)

const append = step(
  'messages.append',
  sessionId,
  messages,
  fc.record({
    createSession: fc.constantFrom(true, true, undefined, {}, { type: 'sub_agent', parentSessionId: 'a' }),
    expectedVersion: version,
    operationId: operation,
  }),
)

/** Every method of sessions, messages, threads and changes that a store of this kind has. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: append },
  { weight: 3, arbitrary: step('sessions.create', newSession) },
  { weight: 2, arbitrary: step('sessions.update', sessionId, patch) },
  step('sessions.addUsage', sessionId, fc.constantFrom({ input: 1, cost: 0.5 }, { total: 7 })),
  step(
    'sessions.current',
    fc.record({ channelType: fc.constantFrom('cli', 'web'), channelKey: fc.constantFrom('k1', 'k2') }),
    fc.constantFrom({}, { create: {} }, { create: { name: 'chat' }, idleMs: 3 }),
  ),
  step('sessions.resetContext', sessionId),
  {
    weight: 2,
    arbitrary: step(
      'sessions.fork',
      sessionId,
      fc.oneof(
        fc.constant({}),
        fc.record({ atSeq: seq }),
        fc.record({ atMessageId: messageId }),
        fc.record({ id: sessionId }),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: step(
      'sessions.rewind',
      sessionId,
      fc.oneof(fc.record({ toSeq: seq }), fc.record({ toMessageId: messageId })),
    ),
  },
  { weight: 2, arbitrary: step('sessions.remove', sessionId, fc.constantFrom({}, { purge: true })) },
  step('sessions.undelete', sessionId),
  step(
    'messages.update',
    sessionId,
    messageId,
    fc.record(
      {
        content: fc.oneof(text, fc.array(block, { maxLength: 2 })),
        metadata: fc.constantFrom({}, { agentVisible: false }),
      },
      { requiredKeys: [] },
    ),
  ),
  step('messages.remove', sessionId, fc.subarray(['m1', 'm2', 'm3', 'm4', '20260301_1:1'])),
  step(
    'messages.replace',
    sessionId,
    messages,
    fc.record({ expectedVersion: version, operationId: operation }),
  ),
  {
    weight: 3,
    arbitrary: step(
      'messages.compact',
      sessionId,
      fc.record({ throughSeq: seq, summary: message, operationId: operation }),
    ),
  },
  step(
    'messages.truncate',
    sessionId,
    fc.oneof(fc.record({ fromSeq: seq }), fc.record({ fromMessageId: messageId })),
  ),
  step('messages.clear', sessionId),
  step('threads.create', fc.record({ id: threadId, name: fc.constantFrom('one', 'two'), ownerId: owner })),
  step('threads.update', threadId, fc.constantFrom({}, { name: 'new' }, { metadata: { a: 1 } })),
  step('threads.remove', threadId),
  { weight: 2, arbitrary: step('threads.attach', threadId, sessionId) },
  step('threads.detach', threadId, sessionId),
  step('sessions.list', query),
  step('messages.recentTurns', sessionId, turns),
)

/** What every history begins with, so that most steps meet something: two conversations and a thread. */
export const beginning: readonly Step[] = [
  {
    name: 'messages.append',
    arguments: [
      'a',
      [
        { id: 'm1', role: 'user', content: 'first question' },
        { id: 'm2', role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'bash', input: {} }] },
        { id: 'm3', role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u', content: 'ok' }] },
        { id: 'm4', role: 'assistant', content: 'first answer' },
      ],
      { createSession: { channelType: 'cli', channelKey: 'k1' } },
    ],
  },
  {
    name: 'messages.append',
    arguments: ['b', [{ id: 'm1', role: 'user', content: 'other' }], { createSession: true }],
  },
  { name: 'threads.create', arguments: [{ id: 't1', name: 'one' }] },
]
