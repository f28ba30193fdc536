import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useSess } from './sess.ts'

const sess = useSess()

const error = (code: string, message: string, operation: string) =>
  `${JSON.stringify({ error: { code, message, operation } })}\n`

describe('exit codes', () => {
  it('is 2 for a command line that says nothing sensible', async () => {
    const cases: [string[], string][] = [
      [['lst'], `unknown command 'lst' (Did you mean one of list, ls?)`],
      [['help', 'lst'], `unknown command 'lst' (Did you mean one of list, ls?)`],
      [['help', 'thread', 'lst'], "unknown command 'thread lst': name one of create, "],
      [
        ['list', '--since', 'soon'],
        '"soon" is no time: take an age (7d, 12h), a date (2026-03-01) or a time',
      ],
      [['export'], 'name the sessions to export, or take --all'],
      [['append', 'a', '-', '--role', 'user'], '--role is for a text'],
      [['thread'], 'name one of create, list, show, rename, attach, detach, timeline, delete'],
      [['thread', 'lst'], "unknown command 'thread lst': name one of create, "],
    ]
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await sess.run(args)
      expect({ args, code, stdout }).toStrictEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(/^sess: [^\n]+\n$/)
      expect(stderr).toContain(message)
    }
    expect((await sess.run(['--json', 'list', '--limit', '0'])).stderr).toBe(
      error('usage', '--limit takes 1 to 1000', 'list'),
    )
  })

  it('is that of the code of the store', async () => {
    await sess.fill(async (store) => {
      await store.sessions.create({ id: 'job-1' })
      await store.sessions.create({ id: 'job-2' })
      await store.messages.append('job-1', [{ id: 'm', role: 'user', content: 'x' }])
    })
    mkdirSync(sess.path('folder'))
    writeFileSync(
      sess.path('text.txt'),
      'This is no database, but long enough to look like a file of one.\n'.repeat(20),
    )
    const cases: [string[], number, string][] = [
      [
        ['show', 'nobody'],
        3,
        error(
          'not-found',
          `there is no session "nobody" in ${sess.path('sess.db')} ("sess list" shows what is there)`,
          'show',
        ),
      ],
      [
        ['new', '--id', 'job-1'],
        4,
        error('already-exists', 'session "job-1" exists already', 'sessions.create'),
      ],
      [
        ['show', 'job'],
        5,
        error('invalid', '"job" begins the ids of several sessions: job-1, job-2', 'show'),
      ],
      [['list', '--cursor', 'x'], 5, '{"error":{"code":"invalid-cursor",'],
      [
        ['--db', 'folder', 'list'],
        6,
        '{"error":{"code":"unavailable","message":"folder is a folder, not a file",',
      ],
      [
        ['--db', 'text.txt', 'list'],
        5,
        '{"error":{"code":"invalid","message":"text.txt is not a SQLite database",',
      ],
      [['thread', 'show', 'x'], 3, error('not-found', 'there is no thread "x"', 'thread show')],
      [['--db', 'libsql://x', 'list'], 1, '{"error":{"code":"unsupported",'],
    ]
    for (const [args, wanted, message] of cases) {
      const { code, stdout, stderr } = await sess.run(['--json', ...args])
      expect({ args, code, stdout }).toStrictEqual({ args, code: wanted, stdout: '' })
      expect(stderr.slice(0, message.length)).toBe(message)
    }
    const input = '{"id":"m","role":"user","content":"y"}'
    expect((await sess.run(['append', 'job-1', '-'], { input })).code).toBe(4)
    const later = '{"format":"sess","version":"2.0","session":{},"messages":[]}'
    expect((await sess.run(['import', '-'], { input: later })).code).toBe(5)
  })

  it('is 0 when the reader of a pipe has had enough', async () => {
    await sess.fill(async (store) => {
      await store.sessions.create({ id: 'long' })
      const text = 'x'.repeat(10_000)
      await store.messages.append(
        'long',
        Array.from({ length: 200 }, () => ({ role: 'user' as const, content: text })),
      )
    })
    for (const args of [
      ['show', 'long'],
      ['export', 'long', '--format', 'jsonl'],
      ['show', 'long', '--json'],
    ]) {
      const { code, stderr } = await sess.run(args, { closeEarly: true })
      expect({ args, code, stderr }).toStrictEqual({ args, code: 0, stderr: '' })
    }
  })

  it('is 130 after Ctrl-C', async () => {
    expect((await sess.run(['append', 'a', '-'], { interrupt: true })).code).toBe(130)
  })
})

describe('what was stored', () => {
  const evil = '\u001b[31mred\u001b]0;title\u0007 \u009b2J \u202eabc'
  const isRaw = /[^\P{Cc}\n\t]|\u202e/u

  it('never reaches a terminal as an escape sequence', async () => {
    const id = 'id-\u202e'
    await sess.fill(async (store) => {
      await store.sessions.create({
        id,
        name: 'name \u202e',
        workingDir: '/srv/\u202e',
        tags: ['tag \u202e'],
      })
      await store.messages.append(id, [
        { role: 'user', content: evil },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: evil, name: evil, input: { [evil]: evil } }] as never,
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: evil, content: evil }] as never },
        { role: 'user', content: [{ type: evil }] as never },
      ])
    })
    const commands = [
      ['list'],
      ['show', 'id', '--limit', '3'],
      ['show', 'id', '--tools', 'full'],
      ['show', 'id', '--json'],
      ['context', 'id'],
      ['export', 'id', '--format', 'jsonl'],
      ['show', evil],
      ['--json', 'show', evil],
    ]
    for (const args of commands) {
      const { stdout, stderr } = await sess.run(args, { env: { NO_COLOR: '1' } })
      expect(`${args}: ${isRaw.exec(stdout + stderr)}`).toBe(`${args}: null`)
      expect(stdout + stderr).not.toBe('')
    }
  })
})

describe('help and version', () => {
  it('print to standard output', async () => {
    expect(await sess.out(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/)
    const help = await sess.out(['--help'])
    expect(await sess.out([])).toBe(help)
    const names =
      'new list|ls rename archive unarchive pin unpin tag untag delete undelete show append context|restore fork ' +
      'rewind compact reset truncate clear search thread import export demo'
    for (const name of names.split(' ')) expect(help).toContain(`\n  ${name} `)
    expect(await sess.out(['help', 'ls'])).toBe(await sess.out(['list', '--help']))
    expect(await sess.out(['append', '--help'])).toMatch(/\n {2}session +its id, /)
    expect(await sess.out(['list', '--help'])).toContain('\nExamples:\n  $ sess list ')
    const thread = await sess.out(['help', 'thread'])
    for (const name of ['create', 'list', 'show', 'rename', 'attach', 'detach', 'timeline', 'delete']) {
      expect(thread).toContain(`\n  ${name} `)
    }
    const timeline = await sess.out(['thread', 'timeline', '--help'])
    expect(timeline).toContain('\nExamples:\n  $ sess thread timeline ')
    expect(await sess.out(['help', 'thread', 'timeline'])).toBe(timeline)
  })
})
