// The text for MATCH: whatever is typed, SQLite takes it, and what it finds holds everything that answers.

import { columnOf, matchOf, parseQuery, planSearch } from '@sess/core/adapter'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstSchema } from '../src/schema/first.ts'
import { isExact, type MatchScope, matchText, nameMatchText } from '../src/search/match-text.ts'
import { indexEntry } from '../src/search/prepare.ts'
import { putEntries } from '../src/sql/index.ts'

const parse = (text: string, prefixLast = false) => parseQuery(text, { timeZone: 'UTC', prefixLast })
const everywhere: MatchScope = {
  columns: ['text', 'tool'],
  roles: [],
  sessionTypes: ['user', 'hidden'],
  tools: [],
}

let database: Database.Database

beforeAll(() => {
  database = new Database(':memory:')
  for (const statement of firstSchema) database.exec(statement)
})
afterAll(() => database.close())

/** Row ids that MATCH finds. */
const found = (match: string, table = 'messages_fts') =>
  database.prepare<[string], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck().all(match)

function put(rowId: number, content: string): void {
  const row = {
    rowId,
    sessionRowId: 7,
    sessionType: 'user',
    messageId: 'm',
    seq: 1,
    role: 'user',
    createdAt: 0,
  }
  const contentJson = JSON.stringify([{ type: 'text', text: content }])
  const { sql, parameters } = putEntries([indexEntry({ ...row, metadataJson: '{}', contentJson })])
  database.prepare(sql).run(...parameters)
}

describe('the text', () => {
  test.each([
    ['apple', '{text tool} : ("apple")'],
    ['red apple', '{text tool} : ("red") AND {text tool} : ("apple")'],
    ['red OR green apple', '{text tool} : ("red" OR "green") AND {text tool} : ("apple")'],
    [
      'listSess* 会话恢复',
      '{text tool} : ("list sess" * OR "listsess" *) AND {text tool} : ("会话 话恢 恢复")',
    ],
    ['会', '{text tool} : ("会" *)'],
    ['apple -pear -"ripe plum"', '({text tool} : ("apple")) NOT ({text tool} : ("pear" OR "ripe plum"))'],
    ['C++', '{text tool} : ("c++")'],
  ])('of %s', (query, expected) => {
    expect(matchText(parse(query), everywhere)).toBe(expected)
    expect(found(expected)).toEqual([])
  })

  test('of sessions, roles, one kind and tools', () => {
    const scope: MatchScope = {
      ...everywhere,
      columns: ['text'],
      roles: ['user', 'tool'],
      sessionTypes: ['hidden'],
    }
    expect(matchText(parse('apple'), scope)).toBe(
      '{text} : ("apple") AND scope : ("ruser" OR "rtool") AND scope : ("khidden")',
    )
    expect(matchText(parse('apple'), { ...scope, roles: [], sessions: [3, 12] })).toBe(
      '{text} : ("apple") AND scope : ("s3" OR "s12")',
    )
    expect(matchText(parse(''), { ...everywhere, tools: ['read_file', '工具'] })).toBe(
      'tool : ("read file" OR "工具")',
    )
  })

  test('is none where every row may answer', () => {
    expect(matchText(parse(''), everywhere)).toBeUndefined()
    expect(matchText(parse('role:user -apple'), everywhere)).toBeUndefined()
    expect(matchText(parse(''), { ...everywhere, tools: ['bash', '-'] })).toBeUndefined()
    expect(nameMatchText([])).toBeUndefined()
  })

  test('of a long phrase is its beginning, and excludes nothing that it does not', () => {
    const phrase = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ')
    const begin = phrase.split(' ').slice(0, 32).join(' ')
    expect(matchText(parse(`"${phrase}"`), everywhere)).toBe(`{text tool} : ("${begin}")`)
    expect(matchText(parse(`apple -"${phrase}"`), everywhere)).toBe('{text tool} : ("apple")')
    expect([parse(`"${phrase}"`), parse(`apple -"${phrase}"`), parse(`"${begin}"`)].map(isExact)).toEqual([
      false,
      false,
      true,
    ])
  })
})

const pieces = fc.constantFrom(
  ...[
    '"',
    '*',
    '-',
    ' ',
    ':',
    '(',
    ')',
    '^',
    '+',
    '#',
    '{text}',
    'NEAR(',
    ' OR ',
    ' AND ',
    ' NOT ',
    "'",
    '\0',
    '\ud83d',
  ],
  ...[
    'a',
    'apple',
    'listSessions',
    'c++',
    '会话',
    '会',
    'เซ',
    '👩‍👩‍👧',
    'ﬁ',
    '½',
    '㈠',
    'İ',
    'ｾｯ',
    'v2',
    'e\u0301',
    '\u00ad',
    'x'.repeat(70),
  ],
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
)
const anyScope = fc.record<MatchScope>({
  columns: fc.constantFrom(['text', 'tool'], ['text'], ['tool']),
  sessions: fc.constantFrom(
    undefined,
    [1],
    [1, 22],
    Array.from({ length: 2000 }, (_, index) => index),
  ),
  roles: fc.subarray(['user', 'tool']),
  sessionTypes: fc.constantFrom(['user'], ['hidden'], ['user', 'sub_agent']),
  tools: fc.array(anyText, { maxLength: 2 }),
})

test('SQLite takes it whatever was typed', () => {
  fc.assert(
    fc.property(anyText, anyScope, fc.boolean(), (text, scope, prefixLast) => {
      const parsed = parse(text, prefixLast)
      const match = matchText(parsed, scope)
      if (match !== undefined) found(match)
      const name = nameMatchText(parsed.clauses.flat())
      if (name !== undefined) found(name, 'sessions_fts')
    }),
    { numRuns: 2000 },
  )
})

test('it finds what answers, and nothing else where nothing was shortened', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (content, text, prefixLast) => {
      put(1, content)
      const plan = planSearch('search.messages', { text: `${text} role:user`, prefixLast }, 'UTC')
      const message = { id: 'm', sessionId: 's', seq: 1, role: 'user' as const, createdAt: 0, metadata: {} }
      const candidate = {
        rowId: 1,
        bytes: 9,
        message: { ...message, content: [{ type: 'text' as const, text: content }] },
      }
      const answers = matchOf(plan, plan.parsed, candidate) !== undefined
      const match = matchText(plan.parsed, { ...everywhere, sessions: [7] })
      const isFound = match !== undefined && found(match).includes(1)
      if (isExact(plan.parsed)) expect(isFound).toBe(answers)
      else expect(isFound || !answers).toBe(true)
      expect(columnOf([content]).text).toBe(content)
    }),
    { numRuns: 2000 },
  )
})
