import { DatabaseSync } from 'node:sqlite'
import type { NewMessage } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'
import { useSess } from './sess.ts'

const sess = useSess()
const program = useProgram()

const talk: readonly NewMessage[] = [
  { role: 'user', content: 'Why is the login test red?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'The clock, I guess.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: '1', name: 'shell', input: { command: 'grep -rn midnight src' } },
    ] as NewMessage['content'],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: '1', content: 'src/a.ts:10\nsrc/b.ts:3' },
    ] as NewMessage['content'],
  },
  { role: 'assistant', content: 'The mock clock is off\nby one hour.' },
  { role: 'user', content: 'A note to myself.', metadata: { userVisible: false } },
  { role: 'user', content: '谢谢 👋' },
]

const fill = () =>
  sess.fill(async (store) => {
    await store.sessions.create({
      id: 'login',
      name: 'Login test',
      tags: ['bug'],
      workingDir: `${sess.folder}/shop`,
    })
    await store.messages.append('login', talk)
  })

const head = [
  'Login test',
  'login · user · 6 messages · ~/shop',
  'created 2026-03-01 09:00 · last active',
  '#bug',
  '',
]

describe('sess show', () => {
  it('prints the session and its messages', async () => {
    await fill()
    const { code, stdout, stderr } = await sess.run(['show', 'login', '--tz', 'Asia/Shanghai'])
    expect(code).toBe(0)
    expect(stderr).toBe('1 message not meant for people left out (--json has them)\n')
    expect(stdout.replace(/(last active) .*/, '$1')).toBe(
      [
        ...head.map((line) => line.replace('09:00', '17:00')),
        'user  2026-03-01 17:01:00  #1',
        'Why is the login test red?',
        '',
        'assistant  2026-03-01 17:01:00  #2',
        'I look.',
        '→ shell  grep -rn midnight src',
        '← src/a.ts:10 (2 lines)',
        '',
        'assistant  2026-03-01 17:01:00  #4',
        'The mock clock is off',
        'by one hour.',
        '',
        'user  2026-03-01 17:01:00  #6',
        '谢谢 👋',
        '',
      ].join('\n'),
    )
  })

  it('shows as much as is asked for', async () => {
    await fill()
    const seqs = async (...args: string[]) =>
      [...(await sess.run(['show', 'login', ...args])).stdout.matchAll(/#(\d)$/gm)]
        .map((match) => match[1])
        .join('')
    expect(await seqs('--turns', '1')).toBe('6')
    expect(await seqs('--turns', '9')).toBe('1246')
    expect(await seqs('--from', '3', '--tools', 'full')).toBe('346')
    const part = await sess.run([
      'show',
      'login',
      '--from',
      '2',
      '--limit',
      '2',
      '--tools',
      'none',
      '--thinking',
    ])
    expect(part.stdout).toMatch(/#2\n\(thinking\) The clock, I guess.\nI look.\n$/)
    expect(part.stderr).toBe('More: sess show login --from 4\n')
  })

  it('says how many there are where it begins behind them', async () => {
    const { sessions, messages } = program.store
    await sessions.create({ id: 'short' })
    await messages.append('short', [{ role: 'user', content: 'x' }])
    const beyond = await program.run(['show', 'short', '--from', '2'])
    expect(beyond).toMatchObject({ code: 0, stderr: 'No message from 2 on: short has 1 message\n' })
    expect(await program.out(['show', 'short', '--from', '1'])).toContain('#1\nx\n')
  })

  it('answers JSON with all of it', async () => {
    await fill()
    const { session, messages, damaged, nextFrom } = JSON.parse(
      await sess.out(['show', 'login', '--json', '--limit', '5']),
    )
    expect(session).toMatchObject({ id: 'login', messageCount: 6 })
    expect(messages.map(({ seq }: { seq: number }) => seq)).toStrictEqual([1, 2, 3, 4, 5])
    expect({ damaged, nextFrom }).toStrictEqual({ damaged: [], nextFrom: 6 })
  })

  it('names damaged rows and goes on', async () => {
    await fill()
    const database = new DatabaseSync(sess.path('sess.db'))
    database.exec(`UPDATE messages SET content_json = 'torn' WHERE seq = 4`)
    database.exec(`UPDATE sessions SET model_config = 'torn'`)
    database.close()
    const shown = await sess.run(['show', 'login', '--from', '4'])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain('谢谢 👋')
    expect(shown.stderr).toContain(
      'sess: message 4 of session "login" is damaged and left out: content is not JSON\n',
    )
    expect(shown.stderr).toContain('sess: damaged row: session "login": model_config is not a JSON object\n')
    const { messages, damaged } = JSON.parse(
      (await sess.run(['show', 'login', '--from', '4', '--json'])).stdout,
    )
    expect(messages).toHaveLength(2)
    expect(damaged).toStrictEqual([{ seq: 4, reason: 'content is not JSON' }])
    const exported = await sess.run(['export', 'login'])
    expect(exported.code).toBe(7)
    expect(JSON.parse(exported.stdout).messages).toHaveLength(5)
  })
})

describe('sess append', () => {
  it('adds a text', async () => {
    await fill()
    expect(await sess.out(['append', 'log', 'One more', '--role', 'assistant'])).toBe(
      'appended 1 message (seq 7)\n',
    )
    const { items } = await sess.fill((store) => store.messages.read('login', { fromSeq: 7 }))
    expect(items).toMatchObject([{ role: 'assistant', content: [{ type: 'text', text: 'One more' }] }])
    expect(await sess.out(['append', 'login', '-q', '--', '-- as it stands'])).toBe('')
  })

  it('adds the JSON lines of standard input, all or none', async () => {
    await fill()
    const lines = [
      '{"role":"user","content":"a","id":"m-1","metadata":{"note":1},"createdAt":1772355600000}',
      '{"role":"assistant","content":[{"type":"text","text":"b"}]}',
    ]
    const receipt = JSON.parse(
      await sess.out(['append', 'login', '-', '--json'], { input: `${lines.join('\n')}\n` }),
    )
    expect(receipt).toMatchObject({
      version: 3,
      firstSeq: 7,
      lastSeq: 8,
      messages: [{ id: 'm-1', metadata: { note: 1 } }, {}],
    })
    const again = await sess.out(['append', 'login'], { input: lines[0] as string })
    expect(again).toBe('appended 0 messages, 1 message stored before\n')
    const bad = await sess.run(['append', 'login', '-'], { input: `${lines[1]}\n{"role":"user"}\n` })
    expect(bad).toStrictEqual({
      code: 5,
      stdout: '',
      stderr: 'sess: line 2: messages[1].content: must be text or an array of blocks\n',
    })
    const torn = await sess.run(['append', 'login', '-'], { input: `${lines[1]}\n{"role":\n` })
    expect(torn.stderr).toBe('sess: line 2: not JSON (the text ends in the middle of a value)\n')
    expect((await sess.fill((store) => store.sessions.get('login')))?.messageCount).toBe(8)
  })

  it('refuses to append nothing', async () => {
    const usage = 'sess: nothing to append: give a text, or JSON lines of messages on standard input\n'
    for (const text of ['', ' \n']) {
      expect(await program.run(['append', 'a', text])).toStrictEqual({ code: 2, stdout: '', stderr: usage })
    }
    const refused = { code: 5, stdout: '', stderr: 'sess: standard input has no message\n' }
    expect(await sess.run(['append', 'a'])).toStrictEqual(refused)
    expect(await sess.run(['append', 'a', '-', '--create'], { input: '\n' })).toStrictEqual(refused)
  })

  it('creates the session when asked to, and takes no beginning of an id then', async () => {
    await fill()
    expect((await sess.run(['append', 'nightly', 'Started'])).code).toBe(3)
    expect(await sess.out(['append', 'log', 'Started', '--create'])).toBe('appended 1 message (seq 1)\n')
    expect(await sess.out(['append', 'log', 'Done', '--create'])).toBe('appended 1 message (seq 2)\n')
    expect((await sess.run(['append', '@7', 'x', '--create'])).code).toBe(3)
  })
})

describe('sess context', () => {
  it('prints the texts of the latest turns, the report beside them', async () => {
    await fill()
    expect(await sess.run(['context', 'login'])).toStrictEqual({
      code: 0,
      stdout: [
        'user',
        'Why is the login test red?',
        '',
        'assistant',
        'The mock clock is off',
        'by one hour.',
        '',
        'user',
        'A note to myself.',
        '',
        '谢谢 👋',
        '',
      ].join('\n'),
      stderr: 'Context: 3 messages of 3 turns, from the beginning of the context\n',
    })
  })

  it('answers JSON', async () => {
    await fill()
    expect(JSON.parse(await sess.out(['restore', '@last', '--turns', '1', '--json']))).toStrictEqual({
      found: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: '谢谢 👋' }] }],
      turns: 1,
      report: {
        dropped: 0,
        repaired: 0,
        interrupted: 0,
        reachedStart: false,
        damaged: 0,
        truncatedBy: 'turns',
      },
    })
    const { turns } = JSON.parse(await sess.out(['context', 'login', '--agent-max-turns', '30', '--json']))
    expect(turns).toBe(3)
  })
})
