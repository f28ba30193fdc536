import { describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'
import { start } from './sess.ts'

const sess = useProgram()

const say = (role: 'user' | 'assistant', content: string) => ({ role, content, createdAt: start })

async function fill(): Promise<void> {
  await sess.store.messages.append(
    'login',
    [
      say('user', 'Why does the login test time out?'),
      say('assistant', 'The clock of the mock is an hour off.'),
    ],
    { createSession: { name: 'Login test', tags: ['bug'], channelType: 'cli' } },
  )
  await sess.store.messages.append(
    'notes',
    [
      say('user', '后50条悬空引用清零'),
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'u', name: 'bash', input: { cmd: 'grep clock' } }],
        createdAt: start,
      },
    ],
    { createSession: { name: '引用' } },
  )
}

describe('sess search', () => {
  it('prints hits in columns, marked by brackets, in a pipe', async () => {
    await fill()
    expect(await sess.out(['search', '悬空'])).toBe(
      'notes\t1\tuser\t2026-03-01T09:00:00.000Z\t引用\t后50条[悬空]引用清零\n',
    )
    expect(await sess.out(['search', 'login', 'test', '--role', 'user'])).toBe(
      'login\t1\tuser\t2026-03-01T09:00:00.000Z\tLogin test\tWhy does the [login] [test] time out?\n',
    )
  })

  it('takes the filters of list, parts and roles', async () => {
    await fill()
    const found = async (...words: string[]) =>
      (await sess.run(['search', ...words])).stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t').slice(0, 2).join(':'))
        .join(' ')
    expect(await found('clock', '--sort', 'recent')).toBe('notes:2 login:2')
    expect(await found('clock', '--in', 'text')).toBe('login:2')
    expect(await found('clock', '--tag', 'bug')).toBe('login:2')
    expect(await found('clock', '--channel', 'web')).toBe('')
    expect(await found('clock', '--since', '1h', '--sort', 'recent')).toBe('notes:2 login:2')
    expect(await found('clock', '--until', '2026-03-01T09:00Z')).toBe('')
    expect(await found('clock', '--', '-mock')).toBe('notes:2')
  })

  it('finds sessions by all of their messages together', async () => {
    await fill()
    expect(await sess.out(['search', '--sessions', 'login', 'clock'])).toMatch(
      /^login\tLogin test\t2\t2026-03-01T09:00:00.000Z\t.*\[.*\n$/,
    )
    const terminal = await sess.out(['search', '--sessions', 'test', 'clock'], 80)
    expect(terminal).toContain('login  Login [test]  2 hits  just now\n')
    expect(terminal).toContain('  #2 assistant  The [clock] of the mock is an hour off.\n')
  })

  it('shows where and what on a terminal, and cuts the name to fit', async () => {
    await fill()
    expect(await sess.out(['search', 'mock'], 60)).toBe(
      'login  #2  assistant  2026-03-01 09:00  Login test\n  The clock of the [mock] is an hour off.\n',
    )
    await sess.store.sessions.update('login', { name: '登录测试'.repeat(20) })
    const [head = ''] = (await sess.out(['search', 'mock'], 60)).split('\n')
    expect(head).toBe(`login  #2  assistant  2026-03-01 09:00  ${'登录测试'.repeat(2)}登…`)
  })

  it('says what it did with the query', async () => {
    await fill()
    const nothing = await sess.run(['search', 'zzz'])
    expect([nothing.code, nothing.stdout, nothing.stderr]).toStrictEqual([0, '', 'Nothing found.\n'])
    const relaxed = await sess.run(['search', 'mock', 'zzz'])
    expect(relaxed.stdout).toContain('[mock]')
    expect(relaxed.stderr).toBe('Nothing has all of it: these have some of it.\n')
    const words = Array.from({ length: 34 }, (_, index) => `w${index}`)
    expect((await sess.run(['search', ...words])).stderr).toContain(
      'the query is too long, left out of it: w32 w33\n',
    )
    const bad = await sess.run(['search', 'x', 'before:soon'])
    expect([bad.code, bad.stdout]).toStrictEqual([5, ''])
    expect(bad.stderr).toContain('before:soon is no date')
  })

  it('goes on where a page ended, and answers JSON with all of it', async () => {
    await fill()
    const first = (await sess.json(['search', 'clock', '--limit', '1'])) as {
      items: { sessionId: string }[]
      nextCursor: string
    }
    const second = (await sess.json(['search', 'clock', '--limit', '1', '--cursor', first.nextCursor])) as {
      items: { sessionId: string; snippet: unknown }[]
    }
    expect([first.items[0]?.sessionId, second.items[0]?.sessionId].toSorted()).toStrictEqual([
      'login',
      'notes',
    ])
    expect(second).not.toHaveProperty('nextCursor')
    const { stderr } = await sess.run(['search', 'clock', '--limit', '1'])
    expect(stderr).toMatch(/^Next page: sess search clock --limit 1 --cursor [\w.-]+\n$/)
  })
})
