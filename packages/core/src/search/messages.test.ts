import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../port/search.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, Role } from '../types/message.ts'
import type { Candidate, CandidateSource } from './candidates.ts'
import { messageBand, searchMessages } from './messages.ts'
import { planSearch } from './plan.ts'

interface Draft {
  readonly role?: Role
  readonly content?: readonly unknown[]
  readonly createdAt?: number
  readonly metadata?: Message['metadata']
  readonly bytes?: number
}

/** Messages in the order of storing; a text is a user's. */
function openStore(...drafts: readonly (string | Draft)[]) {
  const stored: Candidate[] = []
  const add = (draft: string | Draft) => {
    const {
      role = 'user',
      content,
      createdAt = 0,
      metadata = {},
      bytes = 100,
    } = typeof draft === 'string' ? { content: [{ type: 'text', text: draft }] } : (draft as Draft)
    const rowId = stored.length + 1
    const message = {
      id: `m${rowId}`,
      sessionId: 's',
      seq: rowId,
      role,
      content: content as readonly ContentBlock[],
      createdAt,
      metadata,
    }
    stored.push({ rowId, message, bytes })
  }
  for (const draft of drafts) add(draft)
  const source: CandidateSource = async function* (_, { from = 0, below = Number.POSITIVE_INFINITY }) {
    for (const candidate of stored.toReversed())
      if (candidate.rowId >= from && candidate.rowId < below) yield candidate
  }
  const search = (query: SearchQuery) => searchMessages(planSearch('search.messages', query, 'UTC'), source)
  const ids = async (text: string, rest: Omit<SearchQuery, 'text'> = {}) =>
    (await search({ text, ...rest })).hits.map(({ candidate }) => candidate.rowId)
  return { add, search, ids }
}

describe('what is searched', () => {
  const use = {
    type: 'tool_use',
    id: 'u',
    name: 'read_file',
    input: { path: 'src/a.ts', deep: [{ line: 7 }] },
  }
  const result = {
    type: 'tool_result',
    tool_use_id: 'u',
    content: [{ type: 'text', text: 'export const apple' }],
  }
  const store = openStore(
    { content: [{ type: 'text', text: 'hello' }] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'secret' }, use] },
    { content: [{ ...result, content: 'plain banana' }, result] },
    { content: [{ type: 'text', text: 'unseen hello' }], metadata: { userVisible: false } },
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
  )

  test.each([
    ['text', 'hello', [1]],
    ['a tool’s name', 'read_file', [2]],
    ['an input, keys and all', '"deep line 7"', [2]],
    ['a path in it', 'a.ts', [2]],
    ['results', 'banana apple', [3]],
    ['no reasoning', 'secret', []],
    ['nothing that people cannot see', 'unseen', []],
    ['no phrase over two blocks', '"one two"', []],
    ['words over two blocks', 'one two', [5]],
    ['no phrase over two results', '"banana export"', []],
  ])('%s', async (_, text, expected) => {
    expect(await store.ids(text)).toEqual(expected)
  })

  test('in the columns that are asked for', async () => {
    expect(await store.ids('banana', { in: 'text' })).toEqual([])
    expect(await store.ids('banana in:tool')).toEqual([3])
    expect(await store.ids('banana -in:tool')).toEqual([])
    expect(await store.ids('banana in:text', { in: 'tool' })).toEqual([])
    expect(await store.ids('hello in:all')).toEqual([1])
  })

  test('the head of 8192 characters of each result', async () => {
    const long = openStore({
      content: [
        { ...result, content: `${'x '.repeat(4096)}beyond` },
        { ...result, content: 'within' },
      ],
    })
    expect(await long.ids('within')).toEqual([1])
    expect(await long.ids('beyond')).toEqual([])
  })
})

describe('filters', () => {
  const at = (createdAt: number, rest: Draft = {}) => ({
    content: [{ type: 'text', text: 'x' }],
    createdAt,
    ...rest,
  })
  const march = Date.UTC(2026, 2, 1)
  const store = openStore(
    at(march - 1),
    at(march, { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'bash', input: 'x' }] }),
    at(march + 1, { role: 'system' }),
  )

  test.each([
    ['after includes the moment', 'x after:2026-03-01', [3, 2]],
    ['before does not', 'x before:2026-03-01', [1]],
    ['negated', 'x -after:2026-03-01', [1]],
    ['both', 'x after:2026-03-01 before:2026-03-01T00:00:00.001Z', [2]],
    ['with an offset', 'x before:2026-03-01T08:00+08:00', [1]],
    ['roles, any of them', 'x role:user role:system', [3, 1]],
    ['not a role', 'x -role:user', [3, 2]],
    ['a tool', 'x tool:bash', [2]],
    ['not a tool', 'x -tool:bash', [3, 1]],
    ['alone: newest first', 'role:user', [1]],
  ])('%s', async (_, text, expected) => {
    expect(await store.ids(text, { sort: 'recent' })).toEqual(expected)
  })

  test('of the query and of the text hold together', async () => {
    expect(await store.ids('x role:user', { roles: ['assistant'] })).toEqual([])
    expect(await store.ids('x role:user', { roles: ['assistant', 'user'] })).toEqual([1])
    expect(await store.ids('x after:2026-03-01', { since: march + 1, sort: 'recent' })).toEqual([3])
    expect(await store.ids('x', { until: march })).toEqual([1])
    expect(await store.ids('', { roles: ['user'] })).toEqual([1])
  })

  test('a date that is none is invalid', async () => {
    expect(() => planSearch('search.messages', { text: 'x before:tomorrow' }, 'UTC')).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining('before:tomorrow') }),
    )
  })

  test('nothing asked is nothing found', async () => {
    for (const text of ['', '   ', '"', '*', '-']) expect(await store.search({ text })).toEqual({ hits: [] })
    expect(await store.search({ text: '', ownerId: 'ana' })).toEqual({ hits: [] })
  })
})

describe('no hit at all', () => {
  test('any word will do then, filters and exclusions stay, and the page says so', async () => {
    const store = openStore(
      'red apple',
      { role: 'assistant', content: [{ type: 'text', text: 'green pear' }] },
      'red plum',
    )
    const page = await store.search({ text: 'red pear -plum' })
    expect(page.hits.map(({ candidate }) => candidate.rowId).toSorted()).toEqual([1, 2])
    expect(page.relaxed).toBe(true)
    expect(await store.ids('red pear role:user -plum')).toEqual([1])
    expect(await store.search({ text: 'red zzz -red' })).toEqual({ hits: [] })
    expect((await store.search({ text: 'red apple' })).relaxed).toBeUndefined()
    const first = await store.search({ text: 'red pear', limit: 1 })
    const second = await store.search({ text: 'red pear', limit: 1, cursor: first.nextCursor ?? '' })
    expect([second.relaxed, second.hits.length]).toEqual([true, 1])
  })
})

describe('order', () => {
  test('more, rarer and closer together come first; a user before the assistant, text before tools', async () => {
    expect(await openStore('x a', 'x x a', 'x b c d e f g').ids('x')).toEqual([2, 1, 3])
    expect(await openStore('common rare', 'common', 'common other', 'common').ids('common OR rare')).toEqual([
      1, 4, 2, 3,
    ])
    const text = [{ type: 'text', text: 'x' }]
    expect(await openStore({ content: text }, { role: 'assistant', content: text }).ids('x')).toEqual([1, 2])
    const tool = [{ type: 'tool_result', tool_use_id: 'u', content: 'x' }]
    expect(await openStore({ content: text }, { content: tool }).ids('x')).toEqual([1, 2])
  })

  test('equal scores are newest first', async () => {
    expect(await openStore('x', 'x', 'x').ids('x')).toEqual([3, 2, 1])
  })

  test('a long message counts as one occurrence', async () => {
    const long = { content: [{ type: 'text', text: 'x x x x' }], bytes: 65_537 }
    expect(await openStore(long, 'x x').ids('x')).toEqual([2, 1])
  })

  test('the newest matches are ranked among themselves, then the next', async () => {
    const store = openStore('x x x x', ...Array.from({ length: messageBand }, () => 'x y'))
    const { hits } = await store.search({ text: 'x', limit: 1000 })
    expect(hits.length).toBe(messageBand + 1)
    expect(hits.at(-1)?.candidate.rowId).toBe(1)
  })
})

test.each(['relevance', 'recent'] as const)(
  'paging by %s repeats and loses nothing while messages are added',
  async (sort) => {
    const text = fc.constantFrom('x', 'x x', 'x y', 'x y z z', 'y', 'y y y')
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(text, { maxLength: 10 }),
        async (texts, limit, added) => {
          const store = openStore(...texts)
          const whole = await store.search({ text: 'x OR z', sort, limit: 1000 })
          const wanted = whole.hits.map(({ candidate, score }) => [
            candidate.rowId,
            sort === 'recent' ? 0 : score,
          ])
          const found: unknown[] = []
          let cursor: string | undefined
          do {
            const page = await store.search({
              text: 'x OR z',
              sort,
              limit,
              ...(cursor === undefined ? {} : { cursor }),
            })
            found.push(
              ...page.hits.map(({ candidate, score }) => [candidate.rowId, sort === 'recent' ? 0 : score]),
            )
            cursor = page.nextCursor
            expect(page.hits.length === limit || cursor === undefined).toBe(true)
            for (const one of added) store.add(one)
          } while (cursor !== undefined)
          expect(found).toEqual(wanted)
        },
      ),
      { numRuns: 100 },
    )
  },
)

test('a cursor of another search is refused', async () => {
  const store = openStore('x', 'x', 'x')
  const { nextCursor = '' } = await store.search({ text: 'x', limit: 1 })
  for (const query of [
    { text: 'y' },
    { text: 'x', sort: 'recent' as const },
    { text: 'x', in: 'text' as const },
  ])
    expect(() => planSearch('search.messages', { ...query, cursor: nextCursor }, 'UTC')).toThrow(
      expect.objectContaining({ code: 'invalid-cursor' }),
    )
})
