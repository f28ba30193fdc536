// What really stands in the file after messages were changed, moved or taken away: the columns a text restore reads, and
// the rows a search must look at again.

import type { NewMessage, SessionStore } from '@sess/core'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { assistant, closeLater, seqsOf, turns, user } from './stores.ts'

const create = { createSession: true } as const
const toolUse = { type: 'tool_use', id: 'u', name: 'bash', input: {} } as const
const toolResult = { type: 'tool_result', tool_use_id: 'u', content: 'ok' } as const
const image = { type: 'image', source: { type: 'url', url: 'x' } } as const
const text = (value: string) => ({ type: 'text', text: value }) as const

let store: SessionStore
let database: Database.Database

beforeEach(async () => {
  database = new Database(':memory:')
  store = closeLater(await openSqliteStore({ database }))
})

/** One column of a session's rows, by seq. */
function column(name: string, sessionId = 's'): unknown[] {
  return database
    .prepare(`SELECT ${name} FROM messages WHERE session_id = ? ORDER BY seq`)
    .pluck()
    .all(sessionId)
}

/** The seqs whose rows are to be indexed again. */
function dirty(): unknown[] {
  return database
    .prepare('SELECT m.seq FROM index_dirty d JOIN messages m USING (row_id) ORDER BY m.seq')
    .pluck()
    .all()
}

const dirtyCount = () => database.prepare('SELECT count(*) FROM index_dirty').pluck().get()

/** Puts every row into the index, as a search would, and answers the row ids of a word. */
function index(): void {
  database.exec(`INSERT OR REPLACE INTO messages_fts (rowid, text, tool, scope) SELECT row_id, 'word', '', '' FROM messages;
    DELETE FROM index_dirty`)
}
const indexed = () =>
  database.prepare("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'word'").pluck().get()

describe('turn_part and text_json', () => {
  test.each<
    [string, NewMessage['role'], NewMessage['content'], object | undefined, number | null, string | null]
  >([
    ['a question', 'user', 'hello', undefined, 1, null],
    [
      'a question with an image',
      'user',
      [text('look'), image],
      undefined,
      1,
      '[{"type":"text","text":"look"}]',
    ],
    ['an image alone', 'user', [image], undefined, 1, '[{"type":"image"}]'],
    ['a blank text', 'user', ' ', undefined, null, null],
    ['steering', 'user', [toolResult, text('stop')], undefined, 2, '[{"type":"text","text":"stop"}]'],
    ['a tool result', 'user', [toolResult], undefined, null, null],
    ['a reply', 'assistant', 'yes', undefined, 3, null],
    [
      'a text beside a tool call',
      'assistant',
      [text('I look'), toolUse],
      undefined,
      4,
      '[{"type":"text","text":"I look"}]',
    ],
    ['a tool call', 'assistant', [toolUse], undefined, null, null],
    ['what the agent cannot see', 'user', [text('note'), image], { agentVisible: false }, null, null],
  ])(
    'of %s are the same after an update as after an append',
    async (_, role, content, metadata, part, form) => {
      const given = { role, content, ...(metadata ? { metadata } : {}) }
      await store.messages.append('s', [given, { role, content: [text('x'), toolUse], id: 'm' }], create)
      await store.messages.update('s', 'm', { content, ...(metadata ? { metadata } : {}) })
      expect(column('turn_part')).toEqual([part, part])
      expect(column('text_json')).toEqual([form, form])
      // And after a copy and a move inside the database.
      const fork = await store.sessions.fork('s')
      const { branch } = await store.sessions.rewind('s', { toSeq: 0 })
      for (const id of [fork.id, branch?.id]) {
        expect(column('turn_part', id)).toEqual([part, part])
        expect(column('text_json', id)).toEqual([form, form])
      }
    },
  )

  test('hiding a question from the agent ends its turn, showing it again begins it', async () => {
    await store.messages.append('s', [user('q', { id: 'm' }), assistant('a')], create)
    await store.messages.update('s', 'm', { metadata: { agentVisible: false } })
    expect(column('turn_part')).toEqual([null, 3])
    expect((await store.messages.recentTurns('s', { turns: 1 })).turns).toEqual([])
    await store.messages.update('s', 'm', { metadata: {} })
    expect(column('turn_part')).toEqual([1, 3])
    expect((await store.messages.recentTurns('s', { turns: 1 })).turns).toEqual([
      { seq: 1, interrupted: false },
    ])
  })

  test('a summary is part 5, and stays so when it is updated', async () => {
    await store.messages.append('s', turns(1), create)
    await store.messages.compact('s', {
      throughSeq: 2,
      summary: user([text('so far'), image], { id: 'sum' }),
    })
    expect([column('turn_part')[2], column('text_json')[2]]).toEqual([5, '[{"type":"text","text":"so far"}]'])
    await store.messages.update('s', 'sum', { content: [text('shorter')] })
    expect([column('turn_part')[2], column('text_json')[2]]).toEqual([5, null])
  })
})

describe('the index of search', () => {
  test('an updated row leaves it and is to be indexed again', async () => {
    await store.messages.append(
      's',
      turns(2).map((message, at) => ({ ...message, id: `m${at}` })),
      create,
    )
    index()
    await store.messages.update('s', 'm1', { content: 'changed' })
    expect([indexed(), dirty()]).toEqual([3, [2]])
    await store.messages.update('s', 'm2', { metadata: { userVisible: false } })
    await store.messages.update('s', 'm2', {})
    expect([indexed(), dirty()]).toEqual([2, [2, 3]])
  })

  test('rows a rewind moved leave it and are to be indexed again; what stays is not touched', async () => {
    await store.messages.append('s', turns(2), create)
    index()
    await store.sessions.rewind('s', { toSeq: 2 })
    expect([indexed(), dirty()]).toEqual([2, [3, 4]])
  })

  test.each<[string, () => Promise<unknown>, number]>([
    ['remove', () => store.messages.remove('s', ['m0', 'm1']), 2],
    ['truncate', () => store.messages.truncate('s', { fromSeq: 2 }), 1],
    ['clear', () => store.messages.clear('s'), 0],
    ['a purge', () => store.sessions.remove('s', { purge: true }), 0],
    ['replace', () => store.messages.replace('s', []), 0],
  ])('with %s rows go from it and from what is to be indexed again', async (_, change, left) => {
    await store.messages.append(
      's',
      turns(2).map((message, at) => ({ ...message, id: `m${at}` })),
      create,
    )
    index()
    database.exec('INSERT INTO index_dirty SELECT row_id FROM messages')
    await change()
    expect([indexed(), dirtyCount()]).toEqual([left, left])
  })

  test('appends, renames and the trash do not touch it', async () => {
    await store.messages.append('s', turns(1), create)
    index()
    await store.messages.append('s', turns(1, 2))
    await store.sessions.update('s', { name: 'n', tags: ['t'], pinned: true })
    await store.sessions.addUsage('s', { input: 1 })
    await store.sessions.remove('s')
    await store.sessions.undelete('s')
    expect([indexed(), dirty()]).toEqual([2, []])
  })
})

describe('damaged rows', () => {
  beforeEach(async () => {
    await store.messages.append(
      's',
      turns(3).map((message, at) => ({ ...message, id: `m${at + 1}` })),
      create,
    )
    database.exec("UPDATE messages SET content_json = '{broken' WHERE message_id IN ('m3', 'm6')")
  })

  test('move with a rewind as they are, and are told of there', async () => {
    const { session, branch } = await store.sessions.rewind('s', { toSeq: 2 })
    expect([session.messageCount, branch?.messageCount, branch?.preview]).toEqual([2, 4, 'q3'])
    const page = await store.messages.read(branch?.id ?? '')
    expect(page.items.map(({ seq }) => seq)).toEqual([4, 5])
    expect(page.damaged).toEqual([
      { seq: 3, reason: 'content is not JSON' },
      { seq: 6, reason: 'content is not JSON' },
    ])
    expect(column('content_json', branch?.id)[0]).toBe('{broken')
  })

  test('are copied by a fork, counted, and passed over by the preview', async () => {
    const fork = await store.sessions.fork('s')
    expect([fork.messageCount, fork.preview, fork.nextSeq]).toEqual([6, 'q3', 7])
    expect((await store.messages.read(fork.id)).damaged?.map(({ seq }) => seq)).toEqual([3, 6])
  })

  test('can be removed, and be mended by an update that gives content and metadata', async () => {
    await expect(store.messages.update('s', 'm3', { content: 'again' })).rejects.toMatchObject({
      code: 'corrupt',
      operation: 'messages.update',
    })
    const mended = await store.messages.update('s', 'm3', { content: 'again', metadata: {} })
    expect(mended).toMatchObject({ seq: 3, content: [text('again')], metadata: {} })
    expect(await store.messages.remove('s', ['m6'])).toBe(1)
    expect(await seqsOf(store, 's')).toEqual([1, 2, 3, 4, 5])
    expect((await store.messages.read('s')).damaged).toBeUndefined()
  })

  test('a summary that is damaged and mended is still one', async () => {
    await store.messages.compact('s', { throughSeq: 2, summary: user('so far', { id: 'sum' }) })
    database.exec("UPDATE messages SET content_json = '{broken' WHERE message_id = 'sum'")
    expect((await store.messages.recentTurns('s', { turns: 9 })).damaged?.map(({ seq }) => seq)).toContain(7)
    await store.messages.update('s', 'sum', { content: 'mended', metadata: { note: 1 } })
    const window = await store.messages.recentTurns('s', { turns: 9 })
    expect(window.summary).toMatchObject({
      content: [text('mended')],
      metadata: { note: 1, summary: { fromSeq: 1, throughSeq: 2, line: [] } },
    })
    expect(window.messages.map(({ seq }) => seq)).toEqual([4, 5])
    await store.messages.remove('s', ['sum'])
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 1 })
  })

  test.each([
    '{broken',
    '{"summary":{}}',
    '{"summary":{"fromSeq":1,"throughSeq":"2","line":[]}}',
    '{}',
    'null',
  ])(
    'a current summary whose mark cannot be read (%s): the start stays, it can be built on and removed',
    async (metadata) => {
      await store.messages.compact('s', { throughSeq: 2, summary: user('so far', { id: 'sum' }) })
      database.prepare("UPDATE messages SET metadata_json = ? WHERE message_id = 'sum'").run(metadata)
      expect((await store.messages.compact('s', { throughSeq: 4, summary: user('more') })).firstSeq).toBe(8)
      expect(await store.messages.truncate('s', { fromSeq: 8 })).toBe(1)
      expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 3 })
      expect(await store.messages.remove('s', ['sum'])).toBe(1)
      expect((await store.messages.read('s')).items.map(({ seq }) => seq)).toEqual([1, 2, 4, 5])
    },
  )

  test.each([
    ['{broken', { content: 'mended', metadata: {} }],
    ['{}', { content: 'mended' }],
  ])('a current summary whose mark is lost (%s) is a message once it is mended', async (metadata, patch) => {
    await store.messages.compact('s', { throughSeq: 2, summary: user('so far', { id: 'sum' }) })
    database.prepare("UPDATE messages SET metadata_json = ? WHERE message_id = 'sum'").run(metadata)
    await store.messages.update('s', 'sum', patch)
    const window = await store.messages.recentTurns('s', { turns: 9 })
    expect([window.session?.context, window.summary]).toEqual([{ startSeq: 3 }, undefined])
    expect(window.messages.map(({ seq }) => seq)).toEqual([4, 5, 7])
  })
})
