// What puts a prefix before names: whole names of the schema, wherever a statement has them, and nothing else.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSchema } from '../src/schema/first.ts'
import { createPrefixer, schemaNames } from '../src/schema/prefix.ts'

const prefix = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/)
  .filter((text) => !text.toLowerCase().startsWith('sqlite_'))

describe('createPrefixer', () => {
  test.each([
    ['SELECT * FROM sessions', 'SELECT * FROM a_sessions'],
    ['insert into "sessions" ("id") values (?)', 'insert into "a_sessions" ("id") values (?)'],
    ['SELECT s.id FROM sessions s JOIN messages AS m', 'SELECT s.id FROM a_sessions s JOIN a_messages AS m'],
    ['SELECT sessions.id FROM sessions', 'SELECT a_sessions.id FROM a_sessions'],
    ['INSERT INTO messages_fts (rowid) VALUES (?)', 'INSERT INTO a_messages_fts (rowid) VALUES (?)'],
    ['FROM session_tags, session_tombstones', 'FROM a_session_tags, a_session_tombstones'],
    // Columns, aliases, other words and text are none of them.
    ["SELECT x.messages, 'sessions' FROM t", "SELECT x.messages, 'sessions' FROM t"],
    [
      'SELECT session_id, subsessions, sessions2, message_count',
      'SELECT session_id, subsessions, sessions2, message_count',
    ],
    ['SELECT session_type, usage FROM my_threads', 'SELECT session_type, usage FROM my_threads'],
    ['begin immediate', 'begin immediate'],
  ])('%s', (sql, expected) => {
    const rewrite = createPrefixer('a_')
    expect(rewrite(sql)).toBe(expected)
    // The second time from what was kept.
    expect(rewrite(sql)).toBe(expected)
    expect(createPrefixer('')(sql)).toBe(sql)
  })

  test('any prefix stands before every name of the schema, and nothing else is changed', () => {
    fc.assert(
      fc.property(prefix, fc.constantFrom(...firstSchema), (given, sql) => {
        const rewritten = createPrefixer(given)(sql)
        const names = new RegExp(`(?<!\\w)${given}(${schemaNames.join('|')})(?!\\w)`, 'g')
        expect(rewritten.replace(names, '$1')).toBe(sql)
      }),
    )
  })

  test('keeps what it rewrote within bounds', () => {
    const rewrite = createPrefixer('a_')
    for (let index = 0; index < 2500; index++)
      expect(rewrite(`SELECT ${index} FROM sessions`)).toBe(`SELECT ${index} FROM a_sessions`)
  })
})

describe('a prefix', () => {
  test('is what SQLite takes as a name without quotes', () => {
    fc.assert(
      fc.property(prefix, (given) => {
        expect(() => createPrefixer(given)).not.toThrow()
      }),
    )
    expect(() => createPrefixer('')).not.toThrow()
  })

  test('is nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        fc.pre(!/^(?:[A-Za-z_][A-Za-z0-9_]{0,31})?$/.test(given))
        expect(() => createPrefixer(given)).toThrow(expect.objectContaining({ code: 'invalid' }))
      }),
    )
  })
})
