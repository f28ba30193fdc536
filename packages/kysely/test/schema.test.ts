// The schema as SQLite has it after all migrations: golden text, and docs/schema.md made from it. After a migration run
// `vitest -u` here and read the difference: other programs open these files.

import type { SessionStore } from '@sess/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaVersion } from '../src/index.ts'
import { ancestors } from './ancestor-names.ts'
import { schemaNotes } from './schema-notes.ts'
import { type Handle, openMemory } from './support.ts'

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly sql: string
}

let store: SessionStore
let database: Handle
let rows: readonly SchemaRow[]

beforeAll(async () => {
  ;({ store, database } = await openMemory())
  rows = database
    .prepare<[], SchemaRow>(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE sql IS NOT NULL
       AND name NOT LIKE 'kysely_%' AND name NOT LIKE 'sqlite_%' AND name NOT GLOB '*_fts_*' ORDER BY rowid`,
    )
    .all()
})
afterAll(() => store.close())

test('a migrated database has the golden schema', async () => {
  await expect(`${rows.map(({ sql }) => `${sql};`).join('\n\n')}\n`).toMatchFileSnapshot(
    './schema.golden.sql',
  )
})

test('every integer column is declared INTEGER: drivers bind numbers as REAL', () => {
  const types = tables().flatMap((table) => columns(table).map(({ type }) => type))
  expect(new Set(types.filter((type) => type !== ''))).toEqual(new Set(['INTEGER', 'TEXT', 'REAL']))
})

test('every table and column has a note, and every note a column', () => {
  const noted = Object.fromEntries(
    Object.entries(schemaNotes).map(([table, notes]) => [
      table,
      Object.keys(notes).filter((name) => name !== ''),
    ]),
  )
  const found = Object.fromEntries(tables().map((table) => [table, columns(table).map(({ name }) => name)]))
  expect(found).toEqual(noted)
})

test('docs/schema.md says what the database has', async () => {
  await expect(document()).toMatchFileSnapshot('../../../docs/schema.md')
})

function tables(): string[] {
  return rows.filter(({ type }) => type === 'table').map(({ name }) => name)
}

function columns(table: string) {
  return database
    .prepare<[], { name: string; type: string; notnull: number; pk: number }>(`PRAGMA table_info(${table})`)
    .all()
}

function document(): string {
  const sections = tables().map((table) => {
    const notes = schemaNotes[table] ?? {}
    const lines = columns(table).map(({ name, type, notnull, pk }) => {
      const kind = type === '' ? 'indexed text' : `${type}${notnull || pk ? '' : ', may be NULL'}`
      return `| \`${name}\` | ${kind} | ${notes[name] ?? ''} |`
    })
    const indexes = rows.filter((row) => row.table === table && row.type !== 'table').map(({ sql }) => sql)
    const code = indexes.length > 0 ? ['', '```sql', ...indexes.map((sql) => `${sql};`), '```'] : []
    return [`## ${table}`, '', notes[''], '', '| column | type | |', '|---|---|---|', ...lines, ...code].join(
      '\n',
    )
  })
  const names = ancestors.map(
    ({ goose, cowAgent, ours, why }) => `| ${goose} | ${cowAgent} | ${ours} | ${why} |`,
  )
  return `${[
    '# The schema',
    `Made from a migrated database by \`packages/kysely/test/schema.test.ts\`; do not edit by hand. Schema version ${schemaVersion}. \`PRAGMA application_id\` is 0x73657373 ("sess").`,
    ...sections,
    '## From Goose and CowAgent',
    'What the two ancestors call it (Goose schema v13 to v17, CowAgent of August 2026), and where this store departs from them.',
    ['| Goose | CowAgent | ours | why |', '|---|---|---|---|', ...names].join('\n'),
  ].join('\n\n')}\n`
}
