import { beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'

const sess = useProgram()

const minute = 60_000

beforeEach(async () => {
  const { sessions, messages } = sess.store
  for (const [id, content] of [
    ['login', 'Why is it red?'],
    ['chat', 'Main is\nred.'],
  ] as const) {
    sess.time += minute
    await sessions.create({ id, name: id.toUpperCase() })
    await messages.append(id, [{ role: 'user', content }])
  }
  sess.time += minute
  await messages.append('login', [
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'shell', input: {} }] },
    { role: 'user', content: 'A note to myself.', metadata: { userVisible: false } },
  ])
  sess.time += minute
  await sessions.create({ id: 'other', name: 'Other' })
})

async function fillThreads() {
  const { threads } = sess.store
  await threads.create({ id: 'trip', name: 'Trip\u202e' })
  sess.time += minute
  await threads.create({ id: 'red', name: 'Red', ownerId: 'ana' })
  for (const id of ['login', 'chat']) await threads.attach('red', id)
  sess.time += 60 * minute
}

describe('sess thread create, attach, detach, rename, delete', () => {
  it('groups sessions', async () => {
    const id = (await sess.out(['thread', 'create', 'Red', '--owner', 'ana'])).trim()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await sess.json(['thread', 'create', 'Trip', '--id', 'trip'])).toMatchObject({
      id: 'trip',
      name: 'Trip',
      ownerId: '',
      sessionCount: 0,
    })
    expect((await sess.run(['thread', 'create', 'Trip', '--id', 'trip'])).code).toBe(4)

    expect(await sess.out(['thread', 'attach', 'Red', 'login', 'chat'])).toBe(
      'attached login: LOGIN\nattached chat: CHAT\n',
    )
    expect(await sess.json(['thread', 'attach', 'tr', '@last', 'login'])).toStrictEqual({
      items: [
        { id: 'other', outcome: 'attached' },
        { id: 'login', outcome: 'attached' },
      ],
    })
    expect(await sess.out(['list', '--thread', 'Red', '--name', 'chat'])).toMatch(/^chat\tCHAT\t[^\n]*\n$/)
    expect((await sess.run(['list', '--thread', 'Blue'])).code).toBe(3)

    expect(await sess.out(['thread', 'detach', 'trip', 'login', 'chat'])).toBe(
      'detached login: LOGIN\nnothing to detach: chat is not in the thread\n',
    )
    expect(await sess.json(['thread', 'detach', 'trip', 'login'])).toStrictEqual({
      items: [{ id: 'login', outcome: 'unchanged' }],
    })
    expect(await sess.out(['thread', 'rename', 'Red', 'Red again'])).toBe(`renamed ${id}: Red again\n`)
    expect(await sess.out(['thread', 'delete', 'trip'])).toBe('deleted trip: Trip, not its 1 session\n')
    expect(await sess.json(['thread', 'delete', id.slice(0, 20)])).toStrictEqual({ id, outcome: 'deleted' })
    expect((await sess.store.sessions.list()).items).toHaveLength(3)
  })
})

describe('sess thread list', () => {
  it('writes columns between tabs in a pipe, a page at a time', async () => {
    await fillThreads()
    expect(await sess.out(['thread', 'list'])).toBe(
      'red\tRed\t2\t2026-03-01T09:05:00.000Z\tana\ntrip\tTrip\\u202e\t0\t2026-03-01T09:04:00.000Z\t\n',
    )
    const first = await sess.run(['thread', 'list', '--limit', '1'])
    const [, cursor = ''] =
      /^Next page: sess thread list --limit 1 --cursor (\S+)\n$/.exec(first.stderr) ?? []
    expect(await sess.json(['thread', 'list', '--limit', '1', '--cursor', cursor])).toStrictEqual({
      items: [expect.objectContaining({ id: 'trip', sessionCount: 0 })],
    })
    expect(await sess.out(['thread', 'list', '--session', 'chat', '--owner', 'ana'])).toMatch(/^red\t.*\n$/)
  })

  it('is a table on a terminal', async () => {
    expect(await sess.out(['thread', 'list'], 80)).toBe('')
    await fillThreads()
    expect(await sess.out(['thread', 'list'], 80)).toBe(
      [
        'ID    NAME        SESSIONS  UPDATED  OWNER',
        'red   Red                2  1h ago   ana',
        'trip  Trip\\u202e         0  1h ago',
        '',
      ].join('\n'),
    )
  })
})

describe('sess thread show', () => {
  it('shows a thread and its sessions', async () => {
    await fillThreads()
    const head = 'Red\nred · 2 sessions · of ana\ncreated 2026-03-01 09:05 · updated 1h ago\n\n'
    expect(await sess.out(['thread', 'show', 'Red'])).toBe(
      `${head}login\tLOGIN\tuser\t3\t2026-03-01T09:03:00.000Z\t\nchat\tCHAT\tuser\t1\t2026-03-01T09:02:00.000Z\t\n`,
    )
    const table =
      'ID     NAME   TYPE  MSGS  ACTIVE  FOLDER\nlogin  LOGIN  user     3  1h ago\nchat   CHAT   user     1  1h ago\n'
    expect(await sess.out(['thread', 'show', 'Red'], 80)).toBe(head + table)
    expect(await sess.out(['thread', 'show', 'trip'])).toMatch(/ago\n$/)
    expect(await sess.json(['thread', 'show', 'Red', '--limit', '1'])).toMatchObject({
      thread: { id: 'red', sessionCount: 2 },
      sessions: [{ id: 'login' }],
      nextCursor: expect.any(String),
    })
  })
})

describe('sess thread timeline', () => {
  const note = '1 message not meant for people left out (--json has them)\n'

  it('tells what was said in all sessions, by time', async () => {
    await fillThreads()
    expect(await sess.run(['thread', 'timeline', 'Red'])).toStrictEqual({
      code: 0,
      stdout: [
        '2026-03-01T09:01:00.000Z\tlogin\t1\tuser\tWhy is it red?',
        '2026-03-01T09:02:00.000Z\tchat\t1\tuser\tMain is red.',
        '2026-03-01T09:03:00.000Z\tlogin\t2\tassistant\t→ shell',
        '',
      ].join('\n'),
      stderr: note,
    })
    const page = ['thread', 'timeline', 'red', '--limit', '2']
    const first = await sess.json(page)
    expect(first).toMatchObject({
      items: [
        { sessionId: 'login', seq: 1 },
        { sessionId: 'chat', seq: 1 },
      ],
    })
    const { nextCursor } = first as { readonly nextCursor: string }
    expect(await sess.json([...page, '--cursor', nextCursor])).toStrictEqual({
      items: [expect.objectContaining({ seq: 2 }), expect.objectContaining({ seq: 3 })],
    })
    expect(await sess.out(['thread', 'timeline', 'trip'])).toBe('')
  })

  it('is a table on a terminal, narrow ones without the time', async () => {
    await fillThreads()
    expect(await sess.run(['thread', 'timeline', 'Red'], 80)).toStrictEqual({
      code: 0,
      stdout: [
        'TIME                 SESSION  SEQ  ROLE       MESSAGE',
        '2026-03-01 09:01:00  login     #1  user       Why is it red?',
        '2026-03-01 09:02:00  chat      #1  user       Main is red.',
        '2026-03-01 09:03:00  login     #2  assistant  → shell',
        '',
      ].join('\n'),
      stderr: note,
    })
    expect((await sess.run(['thread', 'timeline', 'Red'], 45)).stdout).toMatch(
      /^SESSION {2}SEQ {2}ROLE {7}MESSAGE\n/,
    )
    expect(await sess.out(['thread', 'timeline', 'trip'], 80)).toBe('')
  })
})

describe('what was stored', () => {
  it('never reaches a terminal as an escape sequence', async () => {
    const evil = '\u001b[31mred\u009b2J \u202eabc'
    const id = 'id-\u202e'
    await sess.store.sessions.create({ id, name: 'name \u202e' })
    const hidden = { id: `${id}-2`, role: 'assistant' as const, content: evil }
    await sess.store.messages.append(id, [{ role: 'user', content: evil }, hidden])
    await sess.store.threads.create({ id, name: 'thread \u202e', ownerId: 'owner \u202e' })
    for (const columns of [undefined, 80]) {
      for (const words of [
        ['thread', 'attach', id, id],
        ['thread', 'list'],
        ['thread', 'show', id],
        ['thread', 'timeline', id],
        ['thread', 'rename', id, 'other \u202e'],
        ['thread', 'detach', id, id],
        ['thread', 'detach', id, id],
        ['thread', 'show', evil],
        ['pin', id],
        ['fork', id],
        ['rewind', id, '--to-seq', '1'],
        ['rewind', id, '--to-seq', '1'],
        ['compact', id, '--through', '1', '--summary', evil],
        ['reset', id],
        ['clear', id, '--yes'],
        ['delete', id],
        ['append', id, evil],
        ['undelete', id],
        ['undelete', id],
        ['tag', evil, id],
      ]) {
        const { stdout, stderr } = await sess.run(words, columns)
        expect(`${words}: ${/[^\P{Cc}\n\t]|\u202e/u.exec(stdout + stderr)}`).toBe(`${words}: null`)
        expect(`${words}: ${stdout + stderr}`).not.toBe(`${words}: `)
      }
      await sess.store.messages.append(id, [
        { role: 'user', content: evil },
        { ...hidden, id: 'again' },
      ])
    }
  })
})
