import { describe, expect, test } from 'vitest'
import type { SessionQuery } from '../types/query.ts'
import { type ListPosition, matchesPlan, planList } from './query.ts'
import type { SessionRecord } from './records.ts'

const shown = ['user', 'scheduled', 'terminal', 'gateway', 'acp']

const row: SessionRecord = {
  rowId: 1,
  id: '20260301_4',
  name: 'Café Straße',
  nameSource: 'user',
  sessionType: 'user',
  ownerId: 'ann',
  workingDir: '/home/ann',
  channelType: 'telegram',
  channelKey: '42',
  parentSessionId: 'root',
  forkedFromSessionId: null,
  forkedFromSeq: null,
  branchOf: null,
  sourceAgent: 'goose',
  sourceSessionId: 'g1',
  sourceDigest: 'd',
  providerName: null,
  mode: null,
  preview: '',
  pinned: 1,
  archivedAt: null,
  deletedAt: null,
  createdAt: 100,
  updatedAt: 300,
  lastActiveAt: 200,
  messageCount: 0,
  nextSeq: 1,
  version: 1,
  changeSeq: 1,
  contextStartSeq: 1,
  contextSummarySeq: null,
  tokenCounts: '{}',
  modelConfig: null,
  extensionData: '{}',
  metadata: '{"project":"x","done":false,"count":3,"none":null,"nested":{"a":1},"__proto__":"own"}',
}

const matches = (query: SessionQuery, changes: Partial<SessionRecord> = {}) =>
  matchesPlan(planList(query), { ...row, ...changes }, { tags: ['a', 'b'], threadIds: ['t1'] })

describe('planList', () => {
  test('fills in defaults: fifty, newest activity first, what a plain list shows', () => {
    expect(planList({})).toMatchObject({
      filter: {},
      types: shown,
      archived: false,
      deleted: false,
      sort: 'lastActiveAt',
      order: 'desc',
      pinnedFirst: false,
      limit: 50,
      after: undefined,
    })
  })

  test('takes what is given; page, order and sort are no part of the filter', () => {
    const query = { sort: 'created', order: 'asc', pinnedFirst: true, limit: 7, ownerId: 'ann' } as const
    expect(planList(query)).toMatchObject({
      filter: { ownerId: 'ann' },
      sort: 'createdAt',
      order: 'asc',
      pinnedFirst: true,
      limit: 7,
    })
    expect(planList(query).filter).toEqual({ ownerId: 'ann' })
  })

  test.each<[SessionQuery, string[]]>([
    [{ types: 'all' }, ['user', 'scheduled', 'sub_agent', 'hidden', 'terminal', 'gateway', 'acp']],
    [{ types: ['hidden'] }, ['hidden']],
    [{ types: ['acp', 'user', 'acp'] }, ['user', 'acp']],
    [{ types: [] }, []],
    [{ parentSessionId: 'root' }, [...shown, 'sub_agent']],
    [{ branchOf: 'root' }, [...shown, 'hidden']],
    [{ parentSessionId: 'root', branchOf: 'root' }, [...shown, 'sub_agent', 'hidden']],
    [{ parentSessionId: 'root', types: ['user'] }, ['user']],
  ])('%j lists these types', (query, types) => {
    expect(planList(query).types).toEqual(types)
  })

  test.each<ListPosition>([
    { phase: null, time: 200, rowId: 4 },
    { phase: 1, time: -1, rowId: 4 },
    { phase: 0, time: 0, rowId: Number.MAX_SAFE_INTEGER },
  ])('a cursor of the position %j leads back to it', (position) => {
    const query = { ownerId: 'ann', pinnedFirst: position.phase !== null }
    const cursor = planList(query).cursorAt(position)
    expect(planList({ ...query, cursor }).after).toEqual(position)
    expect(planList({ ...query, cursor, limit: 3 }).after).toEqual(position)
  })

  test('a cursor is as good with defaults written out as without', () => {
    const cursor = planList({}).cursorAt({ phase: null, time: 1, rowId: 1 })
    const written = { sort: 'active', order: 'desc', pinnedFirst: false, cursor } as const
    expect(planList(written).after).toEqual({ phase: null, time: 1, rowId: 1 })
  })

  test.each<[string, SessionQuery]>([
    ['another owner', { ownerId: 'bob' }],
    ['no owner', {}],
    ['another order', { ownerId: 'ann', order: 'asc' }],
    ['another sort', { ownerId: 'ann', sort: 'created' }],
    ['pinned first', { ownerId: 'ann', pinnedFirst: true }],
    ['one condition more', { ownerId: 'ann', archived: true }],
    ['metadata', { ownerId: 'ann', metadata: { a: 1 } }],
  ])('a cursor is refused by a query with %s', (_, query) => {
    const cursor = planList({ ownerId: 'ann' }).cursorAt({ phase: null, time: 1, rowId: 1 })
    expect(() => planList({ ...query, cursor })).toThrow(expect.objectContaining({ code: 'invalid-cursor' }))
  })

  test('a cursor whose position is none is refused', () => {
    const cursor = planList({}).cursorAt({ phase: 2 as 0, time: 1, rowId: 1 })
    expect(() => planList({ cursor })).toThrow(
      expect.objectContaining({ code: 'invalid-cursor', message: 'the cursor is damaged' }),
    )
  })

  test.each<[unknown, string]>([
    [{ limit: 0 }, 'query.limit: too small: expected number to be >=1'],
    [{ limit: -5 }, 'query.limit: too small: expected number to be >=1'],
    [{ limit: 1001 }, 'query.limit: too big: expected number to be <=1000'],
    [{ limit: '10' }, 'query.limit: invalid input: expected number, received string'],
    [{ offset: 5 }, 'query.offset is not a field that is known here'],
    [{ types: 'user' }, 'query.types: must be "all" or an array of types'],
    [
      { types: ['user', 'bot'] },
      'query.types[1]: invalid option: expected one of "user"|"scheduled"|"sub_agent"|"hidden"|"terminal"|"gateway"|"acp"',
    ],
    [{ archived: 'no' }, 'query.archived: must be true, false or "any"'],
    [{ deleted: 1 }, 'query.deleted: must be true, false or "any"'],
    [{ metadata: null }, 'query.metadata: must be an object'],
    [{ metadata: { a: {} } }, 'query.metadata.a: takes strings, finite numbers, booleans and null'],
    [{ sort: 'name' }, 'query.sort: invalid option: expected one of "active"|"created"'],
    [{ since: '2026-03-01' }, 'query.since: invalid input: expected number, received string'],
    [null, 'query: invalid input: expected object, received null'],
  ])('%j is invalid', (query, message) => {
    expect(() => planList(query as SessionQuery)).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  })
})

describe('matchesPlan', () => {
  test.each<SessionQuery>([
    {},
    { ownerId: 'ann' },
    { workingDir: '/home/ann' },
    { channelType: 'telegram', channelKey: '42' },
    { parentSessionId: 'root' },
    { sourceAgent: 'goose', sourceSessionId: 'g1' },
    { threadId: 't1' },
    { tags: [] },
    { tags: ['b', 'a'] },
    { pinned: true },
    { idPrefix: '20260301_' },
    { idPrefix: '' },
    { nameContains: 'cafe' },
    { nameContains: 'STRASSE' },
    { nameContains: '' },
    { since: 200 },
    { until: 201 },
    { sort: 'created', since: 100, until: 101 },
    { withMessages: false },
    { metadata: {} },
    { metadata: { project: 'x', done: false, count: 3, none: null } },
    { metadata: JSON.parse('{"__proto__": "own"}') },
    { archived: 'any', deleted: 'any' },
  ])('the session is in the list of %j', (query) => {
    expect(matches(query)).toBe(true)
  })

  test.each<SessionQuery>([
    { ownerId: '' },
    { workingDir: '/home' },
    { channelType: 'web' },
    { parentSessionId: 'other' },
    { branchOf: 'root' },
    { sourceSessionId: 'g2' },
    { threadId: 't2' },
    { tags: ['a', 'c'] },
    { pinned: false },
    { idPrefix: '0301' },
    { idPrefix: '2026030_' },
    { nameContains: 'cafes' },
    { since: 201 },
    { until: 200 },
    { sort: 'created', since: 101 },
    { withMessages: true },
    { types: ['acp'] },
    { types: [] },
    { archived: true },
    { deleted: true },
    { metadata: { project: 'y' } },
    { metadata: { count: '3' } },
    { metadata: { missing: null } },
    { metadata: { toString: 'x' } },
    { metadata: { nested: 'x' } },
  ])('the session is not in the list of %j', (query) => {
    expect(matches(query)).toBe(false)
  })

  test('archived and trashed sessions are in a list that asks for them', () => {
    expect(matches({}, { archivedAt: 5 })).toBe(false)
    expect(matches({ archived: true }, { archivedAt: 5 })).toBe(true)
    expect(matches({ archived: 'any' }, { archivedAt: 5 })).toBe(true)
    expect(matches({}, { deletedAt: 5 })).toBe(false)
    expect(matches({ deleted: true }, { deletedAt: 0 })).toBe(true)
    expect(matches({ deleted: true }, { deletedAt: 5, archivedAt: 5 })).toBe(false)
  })

  test('sub-agents are in a list under their parent, hidden sessions under their trunk', () => {
    const agent = { sessionType: 'sub_agent' }
    expect(matches({}, agent)).toBe(false)
    expect(matches({ parentSessionId: 'root' }, agent)).toBe(true)
    expect(matches({ parentSessionId: 'root' }, { ...agent, sessionType: 'hidden' })).toBe(false)
    expect(matches({ branchOf: 'root' }, { sessionType: 'hidden', branchOf: 'root' })).toBe(true)
  })

  test('metadata that cannot be read matches only where nothing of it is asked', () => {
    expect(matches({ metadata: { a: 1 } }, { metadata: '{' })).toBe(false)
    expect(matches({ metadata: {} }, { metadata: '{' })).toBe(true)
    expect(matches({ metadata: { length: 1 } }, { metadata: '"x"' })).toBe(false)
  })
})

test.each([
  [true, null],
  [false, 1],
  [false, 0],
] as const)('a cursor of pinnedFirst %j does not stand in phase %j', (pinnedFirst, phase) => {
  const { cursorAt } = planList({ pinnedFirst })
  expect(() => planList({ pinnedFirst, cursor: cursorAt({ phase, time: 1, rowId: 1 }) })).toThrow(
    expect.objectContaining({ code: 'invalid-cursor' }),
  )
})
