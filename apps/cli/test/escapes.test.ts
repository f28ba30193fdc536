// What was stored, in whatever column of whatever file, never reaches a terminal as an escape sequence.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@sess/connect'
import type { NewMessage, SessionStore } from '@sess/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'

const evil = '\u001b[31mred\u001b]0;title\u0007\r\u009b2J\u009d0;x\u009c\u007f\u0000\u202eabc\u2066'
/** What is left of a control character, but for line breaks and tabs. */
const raw = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u

const sess = useProgram()
let folder: string
/** How often the store told of a row that it left out. */
let told = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sess-escapes-'))
})
afterEach(async () => {
  await sess.store.close()
  rmSync(folder, { recursive: true })
})

/** Every column but keys and what a command goes by, in a file that holds to no type. */
const columns = {
  sessions:
    'name owner_id working_dir channel_type channel_key parent_session_id forked_from_session_id ' +
    'branch_of source_agent source_session_id source_digest provider_name mode preview ' +
    'token_counts model_config extension_data metadata',
  session_tags: 'tag',
  messages: 'message_id',
  threads: 'owner_id name',
} as const

/** A row in which one of these is no number is left out, and told of. */
const numbers = {
  sessions:
    'forked_from_seq message_count version context_start_seq created_at updated_at last_active_at archived_at',
  messages: 'created_at',
  threads: 'created_at updated_at',
} as const

const hostile = {
  token_counts: { last: { input: evil }, accumulated: { total: evil } },
  model_config: { model: evil },
  extension_data: { [evil]: evil },
  metadata: { [evil]: evil },
  summary: { fromSeq: evil, throughSeq: evil, line: [evil] },
} as const

const talk = [
  { role: 'user', content: evil },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: evil, signature: evil },
      { type: 'tool_use', id: evil, name: evil, input: { [evil]: evil } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: evil, content: evil, is_error: true }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: evil }] }] },
  {
    role: 'assistant',
    content: [{ type: 'image', source: { type: evil, media_type: evil } }, { type: evil }],
  },
] as unknown as readonly NewMessage[]

/** A file in which everything that can be is hostile. */
async function openHostile(withNumbers: boolean): Promise<SessionStore> {
  const path = join(folder, 'sess.db')
  const store = await openStore(path)
  for (const id of ['job', 'branch']) {
    await store.sessions.create({ id, tags: ['a'] })
    await store.messages.append(id, talk)
  }
  await store.threads.create({ id: 'group', name: 'Group' })
  await store.threads.attach('group', 'job')
  await store.close()
  const database = new DatabaseSync(path)
  for (const [table, names] of [...Object.entries(columns), ...Object.entries(withNumbers ? numbers : {})]) {
    for (const name of names.split(' ')) {
      const value = name in hostile ? JSON.stringify(hostile[name as keyof typeof hostile]) : evil
      // A source is one session's alone.
      const where = name === 'source_session_id' ? "WHERE id = 'job'" : ''
      database.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ? ${where}`).run(value)
    }
  }
  database
    .prepare(`UPDATE messages SET metadata_json = ? WHERE seq = 1`)
    .run(JSON.stringify({ summary: hostile.summary, userVisible: true }))
  database.prepare(`UPDATE messages SET content_json = ? WHERE session_id = 'branch' AND seq = 1`).run(evil)
  database.prepare(`UPDATE messages SET role = ? WHERE session_id = 'branch' AND seq = 2`).run(evil)
  database
    .prepare(`UPDATE sessions SET model_config = ?, session_type = ? WHERE id = 'branch'`)
    .run(evil, evil)
  database.close()
  const tell = () => {
    told++
  }
  return openStore(path, { logger: { debug: tell, info: tell, warn: tell, error: tell } })
}

const readings: readonly (readonly string[])[] = [
  ['list', '--all'],
  ['list', '--all', '--tag', evil],
  ['show', 'job'],
  ['show', 'branch'],
  ['show', 'job', '--tools', 'full', '--thinking'],
  ['show', 'job', '--tools', 'none', '--from', '1', '--limit', '1'],
  ['context', 'job'],
  ['context', 'job', '--mode', 'full', '--turns', '9'],
  ['context', 'job', '--mode', 'full', '--format', 'openai'],
  ['export', 'job'],
  ['export', '--all', '--format', 'jsonl'],
  ['search', 'title'],
  ['search', 'red', evil],
  ['search', '--sessions', 'title'],
  ['thread', 'list'],
  ['thread', 'show', 'group'],
  ['thread', 'timeline', 'group'],
  ['thread', 'timeline', 'group', '--limit', '1'],
]

const changes: readonly (readonly string[])[] = [
  ['new', '--id', evil],
  ['new', '--name', evil, '--owner', evil, '--cwd', evil, '--tag', evil],
  ['new', '--type', evil],
  ['append', 'job', evil],
  ['rename', 'job', evil],
  ['tag', evil, 'job'],
  ['untag', evil, 'job'],
  ['pin', 'job'],
  ['unpin', 'job'],
  ['archive', 'job'],
  ['unarchive', 'job'],
  ['fork', 'job', '--at', evil],
  ['fork', 'job', '--name', evil],
  ['rewind', 'job', '--to', evil],
  ['rewind', 'job', '--to-seq', '4'],
  ['compact', 'job', '--through', '3', '--summary', evil],
  ['reset', 'job'],
  ['truncate', 'job', '--from', '5', '--yes'],
  ['clear', 'job', '--yes'],
  ['delete', 'job'],
  ['append', 'job', 'x'],
  ['undelete', 'job'],
  ['delete', 'branch', '--purge', '--yes'],
  ['thread', 'create', evil],
  ['thread', 'attach', 'group', 'job'],
  ['thread', 'detach', 'group', 'job'],
  ['thread', 'detach', 'group', 'job'],
  ['thread', 'rename', 'group', evil],
  ['thread', 'delete', 'group'],
]

const mistakes: readonly (readonly string[])[] = [
  [evil],
  ['list', `--${evil}`],
  ['list', '--limit', evil],
  ['list', '--since', evil],
  ['list', '--type', evil],
  ['list', '--cursor', evil],
  ['list', '--tz', evil],
  ['list', '--locale', evil],
  ['show', evil],
  ['search', 'x', `before:${evil}`],
  ['show', 'job', '--tools', evil],
  ['help', evil],
  ['thread', evil],
  ['thread', 'show', evil],
  ['export', 'job', '-o', join('/no/such', 'folder\u001b[31m', 'file')],
  ['import', '/no/such\u001b[31m/file'],
]

describe.each([undefined, 60, 200])('on %s columns', (width) => {
  it.each([false, true])(
    'no command lets an escape sequence through (nor in numbers: %s)',
    async (withNumbers) => {
      sess.store = await openHostile(withNumbers)
      for (const words of [...readings, ...mistakes, ...changes]) {
        for (const flags of [[], ['--json']]) {
          // A change is made once.
          if (changes.includes(words) && flags.length > 0) continue
          told = 0
          const { stdout, stderr } = await sess.run([...words, ...flags], width)
          const shown = JSON.stringify(words.slice(0, 3))
          expect([shown, raw.exec(stdout + stderr)]).toStrictEqual([shown, null])
          expect([shown, stdout + stderr, told]).not.toStrictEqual([shown, '', 0])
          // None of it is a mistake of the program itself.
          expect([shown, stderr]).not.toStrictEqual([
            shown,
            expect.stringMatching(/"unknown"|TypeError|RangeError/),
          ])
        }
      }
    },
  )

  it('nor does an import', async () => {
    const file = join(folder, 'chat.jsonl')
    writeFileSync(
      file,
      [
        {
          format: 'sess',
          version: '1.0',
          session: { id: 'a', name: 'name', tags: ['b\u202e'], owner_id: 'c\u202e' },
        },
        ...talk.map((message) => ({ ...message, metadata: { note: evil } })),
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    sess.store = await openStore(join(folder, 'new.db'))
    for (const words of [
      ['import', file, '--dry-run'],
      ['import', file],
      ['import', file],
      ['show', 'a'],
    ]) {
      const { code, stdout, stderr } = await sess.run(words, width)
      expect([words[0], code, raw.exec(stdout + stderr)]).toStrictEqual([words[0], 0, null])
    }
    for (const text of [
      `{"role":"${'\u202e'}"}`,
      '{"role":"user","content":"\u009b',
      `{"\u009b":1}`,
      `\u009b`,
    ]) {
      writeFileSync(file, text)
      const { code, stdout, stderr } = await sess.run(['import', file], width)
      expect([text, code, stdout, raw.exec(stderr)]).toStrictEqual([text, 5, '', null])
    }
  })
})
