// Texts, queries and histories for search: few words in many scripts, so that they meet. Made by fast-check, which prints
// the seed of what fails.

import type { ContentBlock, NewMessage, SearchQuery, SessionType } from '@sess/core'
import fc from 'fast-check'
import type { Step } from './histories.ts'

const words = [
  'apple',
  'Apples',
  'pear',
  'the',
  'naïve',
  'STRASSE',
  'straße',
  'listSessions',
  'sessions',
  'src/session/manager.ts',
  'SQLITE_BUSY',
  'v2',
  'C++',
  'c#',
  "don't",
  '恢复',
  '会话恢复',
  '会',
  '步2重跑gen-itgc后50条悬空引用',
  'เซสชันล้มเหลว',
  'セッション',
  'ｾｯｼｮﾝ',
  '복원',
  '👩‍👩‍👧',
  '😀',
  '𠮷野家',
  'ruser',
  's1',
  'kplain',
] as const

const word = fc.constantFrom(...words)
const words32 = Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ')

/** A text of some words; now and then a long one. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .array(fc.tuple(word, fc.constantFrom(' ', ' ', '', ', ', '\n', '_')), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom(`${words32} apple`, 'apple '.repeat(12_000), '') },
)

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: anyText.map((text) => ({ type: 'text' as const, text })) },
  fc
    .tuple(fc.constantFrom('bash', 'read_file', '工具', '-'), anyText)
    .map(([name, text]) => ({ type: 'tool_use' as const, id: 'u', name, input: { command: text, n: 5 } })),
  anyText.map((text) => ({ type: 'tool_result' as const, tool_use_id: 'u', content: text })),
  anyText.map((thinking) => ({ type: 'thinking' as const, thinking })),
)

const messageId = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5')
const anyMessage: fc.Arbitrary<NewMessage> = fc
  .record({
    id: fc.option(messageId, { nil: undefined }),
    role: fc.constantFrom('user', 'user', 'assistant', 'tool', 'system'),
    content: fc.oneof(anyText, fc.array(block, { maxLength: 3 })),
    createdAt: fc.constantFrom(Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)),
    metadata: fc.constantFrom(undefined, undefined, undefined, { userVisible: false }),
  })
  .map((fields) => fields as NewMessage)

const sessionId = fc.constantFrom('a', 'a', 'b', 'c', '20260301_1', '20260301_2')
const type = fc.constantFrom<SessionType>('user', 'user', 'sub_agent', 'hidden', 'scheduled')
const anySession = fc.record(
  {
    name: anyText.map((text) => text.replaceAll(/[\n\r]/g, ' ').slice(0, 60)),
    type,
    ownerId: fc.constantFrom('', 'ana'),
    workingDir: fc.constantFrom('/w', '/w/a b'),
    channelType: fc.constantFrom('cli', 'web'),
    tags: fc.subarray(['x', 'y']),
    pinned: fc.boolean(),
    archived: fc.boolean(),
  },
  { requiredKeys: [] },
)

function step(name: string, ...values: fc.Arbitrary<unknown>[]): fc.Arbitrary<Step> {
  return fc.tuple(...values).map((given) => ({ name, arguments: given }))
}

const created = anySession.map(({ pinned: _, archived: __, ...session }) => session)

/** Whatever changes what is found, and searches in between. */
export const searchStep = (search: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 10,
      arbitrary: step(
        'messages.append',
        sessionId,
        fc.array(anyMessage, { minLength: 1, maxLength: 5 }),
        created.map((createSession) => ({ createSession })),
      ),
    },
    { weight: 3, arbitrary: search },
    { weight: 2, arbitrary: step('sessions.create', created) },
    { weight: 2, arbitrary: step('sessions.update', sessionId, anySession) },
    {
      weight: 2,
      arbitrary: step(
        'messages.update',
        sessionId,
        messageId,
        fc.oneof(
          anyText.map((content) => ({ content })),
          fc.constant({ metadata: { userVisible: false } }),
        ),
      ),
    },
    step('messages.remove', sessionId, fc.subarray(['m1', 'm2', 'm3'])),
    step(
      'messages.truncate',
      sessionId,
      fc.integer({ min: 1, max: 9 }).map((fromSeq) => ({ fromSeq })),
    ),
    step(
      'messages.replace',
      sessionId,
      fc.array(anyMessage, { minLength: 1, maxLength: 3 }),
      fc.constant({}),
    ),
    step('messages.clear', sessionId),
    {
      weight: 2,
      arbitrary: step('sessions.fork', sessionId, fc.constantFrom({}, { atSeq: 2 }, { id: 'c' })),
    },
    {
      weight: 2,
      arbitrary: step(
        'sessions.rewind',
        sessionId,
        fc.integer({ min: 0, max: 4 }).map((toSeq) => ({ toSeq })),
      ),
    },
    {
      weight: 2,
      arbitrary: step(
        'sessions.import',
        fc.record({
          name: fc.constantFrom('Imported apple', '恢复'),
          nameSource: fc.constant('auto'),
          source: fc.record({
            agent: fc.constant('x'),
            sessionId: fc.constantFrom('1', '2'),
            digest: fc.constant(''),
          }),
        }),
        fc.array(
          anyMessage.map(({ id: _, ...rest }) => rest),
          { maxLength: 4 },
        ),
      ),
    },
    step('sessions.remove', sessionId, fc.constantFrom({}, { purge: true })),
    step('sessions.undelete', sessionId),
    step(
      'messages.compact',
      sessionId,
      fc.record({ throughSeq: fc.integer({ min: 1, max: 4 }), summary: anyMessage }),
    ),
    step('threads.attach', fc.constant('t1'), sessionId),
  )

const queryWord = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: word.map((text) => `${Array.from(text).slice(0, 2).join('')}*`) },
  { weight: 2, arbitrary: fc.tuple(word, word).map(([one, other]) => `"${one} ${other}"`) },
  fc.constantFrom('zzz', `"${words32}"`, `"${words32} apple"`, `"${words32} pear"`, 'w5 w6', 'Imported'),
)
const filter = fc.constantFrom(
  'role:user',
  '-role:assistant',
  'type:hidden',
  '-type:scheduled',
  'session:a',
  '-session:b',
  'cwd:/w',
  '-cwd:"/w/a b"',
  'channel:web',
  'tag:x',
  '-tag:y',
  'tool:bash',
  'tool:read_file',
  '-tool:bash',
  'tool:工具',
  'tool:-',
  'in:text',
  '-in:text',
  'before:2026-03-02',
  'after:2026-03-02',
)
const queryText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: queryWord },
      { weight: 2, arbitrary: queryWord.map((text) => `-${text}`) },
      { weight: 1, arbitrary: fc.constant('OR') },
      { weight: 3, arbitrary: filter },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '))

/** Queries of every kind, most of which find something. */
export const anyQuery: fc.Arbitrary<SearchQuery> = fc
  .record(
    {
      text: queryText,
      types: fc.constantFrom(
        'all' as const,
        ['hidden'] as SessionType[],
        ['user', 'sub_agent'] as SessionType[],
      ),
      ownerId: fc.constantFrom('', 'ana'),
      archived: fc.constantFrom(true, 'any' as const),
      deleted: fc.constantFrom(true, 'any' as const),
      pinned: fc.boolean(),
      tags: fc.subarray(['x']),
      threadId: fc.constant('t1'),
      nameContains: fc.constant('APP'),
      branchOf: fc.constant('a'),
      sessionId: fc.constant('a'),
      in: fc.constantFrom('text', 'tool'),
      roles: fc.constantFrom(['user'], ['assistant', 'tool']),
      since: fc.constant(Date.UTC(2026, 2, 2)),
      sort: fc.constantFrom('recent', 'relevance'),
      prefixLast: fc.boolean(),
      include: fc.constant('message'),
      around: fc.integer({ min: 0, max: 2 }),
      limit: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['text'] },
  )
  // Of many conditions nothing is left.
  .map(
    ({ text, ...rest }) => ({ text, ...Object.fromEntries(Object.entries(rest).slice(0, 3)) }) as SearchQuery,
  )

/** The same with only what a query says most often. */
export const plainQuery: fc.Arbitrary<SearchQuery> = fc.record({
  text: fc.array(queryWord, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
  limit: fc.integer({ min: 1, max: 3 }),
})

/** What every history begins with. */
export const searchBeginning: readonly Step[] = [
  { name: 'threads.create', arguments: [{ id: 't1', name: 'one' }] },
  {
    name: 'messages.append',
    arguments: [
      'a',
      [
        { id: 'm1', role: 'user', content: 'an apple and a pear 恢复' },
        { id: 'm2', role: 'assistant', content: 'the listSessions 会话恢复' },
        { id: 'm3', role: 'user', content: 'apple 👩‍👩‍👧 C++ เซสชันล้มเหลว' },
      ],
      { createSession: { name: 'Apple 会话', tags: ['x'], workingDir: '/w' } },
    ],
  },
  {
    name: 'messages.append',
    arguments: [
      'b',
      [{ id: 'm1', role: 'user', content: 'pear SQLITE_BUSY the apples' }],
      { createSession: {} },
    ],
  },
]
