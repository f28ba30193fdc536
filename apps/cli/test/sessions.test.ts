import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'
import { start, useSess } from './sess.ts'

const sess = useSess()
const program = useProgram()

describe('sess new', () => {
  it('prints the id, the day of which is that of the zone', async () => {
    const day = (timeZone: string) =>
      new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now()).replaceAll('-', '')
    const before = day('Pacific/Kiritimati')
    const id = (await sess.out(['new', '--tz', 'Pacific/Kiritimati'])).trim()
    expect([`${before}_1`, `${day('Pacific/Kiritimati')}_1`]).toContain(id)
  })

  it('takes UTC for a zone of the machine that nobody knows', async () => {
    const before = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    const id = (await sess.out(['new'], { env: { TZ: ':' } })).trim()
    const after = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    expect([`${before}_1`, `${after}_1`]).toContain(id)
  })

  it('stores what its flags say', async () => {
    await sess.fill((store) => store.sessions.create({ id: 'mother-of-all' }))
    const flags = [
      '--id',
      'a',
      '--name',
      'Login test',
      '--type',
      'gateway',
      '--cwd',
      'shop',
      '--owner',
      'ana',
    ]
    const more = ['--channel', 'telegram', '--chat', '42', '--tag', 'b', '--tag', 'a', '--parent', 'mother']
    const model = ['--provider', 'anthropic', '--model', 'claude']
    const session = JSON.parse(await sess.out(['new', '--json', ...flags, ...more, ...model]))
    expect(session).toMatchObject({
      id: 'a',
      name: 'Login test',
      nameSource: 'user',
      type: 'gateway',
      workingDir: sess.path('shop'),
      channelType: 'telegram',
      channelKey: '42',
      ownerId: 'ana',
      tags: ['a', 'b'],
      providerName: 'anthropic',
      modelConfig: { model: 'claude' },
      parentSessionId: 'mother-of-all',
    })
    expect(await sess.fill((store) => store.sessions.get('a'))).toStrictEqual(session)
  })

  it('gives names in the language that is set', async () => {
    const nameOf = async (args: string[], env: Record<string, string>) =>
      JSON.parse(await sess.out(['new', '--json', ...args], { env })).name
    expect(await nameOf([], { LANG: 'zh_CN.UTF-8' })).toBe('新会话')
    expect(await nameOf(['--locale', 'en'], { LANG: 'zh_CN.UTF-8', SESS_LOCALE: 'zh' })).toBe('New session')
  })

  it('takes no place among the latest as an id, which would be hidden by it', async () => {
    await program.store.sessions.create({ id: 'a' })
    for (const id of ['@last', '@1', '@20']) {
      expect(await program.run(['new', '--id', id])).toStrictEqual({
        code: 5,
        stdout: '',
        stderr: `sess: id: "${id}" is a place among the latest sessions, no id\n`,
      })
    }
    expect((await program.run(['new', '--id', '@home'])).code).toBe(0)
    const { items } = await program.store.sessions.list({ order: 'asc', sort: 'created' })
    expect(items.map(({ id }) => id).sort()).toStrictEqual(['@home', 'a'])
  })

  it('takes a chat within a channel only', async () => {
    const refused = { code: 2, stdout: '', stderr: 'sess: --chat needs --channel\n' }
    expect(await program.run(['new', '--chat', '42'])).toStrictEqual(refused)
    expect((await program.store.sessions.list()).items).toStrictEqual([])
  })
})

describe('a store that is not there', () => {
  it('is empty where it is the default', async () => {
    const env = { SESS_DB: '' }
    expect(await sess.out(['list'], { env })).toBe('')
    expect(await sess.out(['list', '--json'], { env })).toBe('{"items":[]}\n')
    expect((await sess.run(['show', 'a'], { env })).code).toBe(3)
    expect(readdirSync(sess.folder)).toStrictEqual([])
    await sess.out(['new'], { env })
    expect(await sess.out(['list'], { env })).not.toBe('')
  })

  it('is not made by what only reads, where it is named', async () => {
    for (const words of [['list'], ['show', 'a'], ['rename', 'a', 'b'], ['thread', 'attach', 'a', 'b']]) {
      expect(await sess.run([...words, '--db', 'no/a.db'])).toStrictEqual({
        code: 6,
        stdout: '',
        stderr:
          'sess: there is no store at no/a.db ("sess new", "sess import" and "sess append --create" make one)\n',
      })
    }
    const { code, stderr } = await sess.run(['list', '--json'])
    expect(code).toBe(6)
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unavailable', operation: 'list' })
    expect(readdirSync(sess.folder)).toStrictEqual([])
    for (const url of ['memory:', ':memory:']) expect(await sess.out(['list', '--db', url])).toBe('')
  })
})

describe('a store that is not there', () => {
  it('is made by what has something to store, and by nothing else', async () => {
    const file = '/no/such/file'
    const others = [
      ['list'],
      ['show', 'a'],
      ['context', 'a'],
      ['export', '--all'],
      ['import', file],
      ['append', 'a', 'x'],
      ['fork', 'a'],
      ['rewind', 'a', '--to-seq', '1'],
      ['compact', 'a', '--through', '1', '--summary', 'x'],
      ['reset', 'a'],
      ['truncate', 'a', '--from', '1', '--yes'],
      ['clear', 'a', '--yes'],
      ['rename', 'a', 'b'],
      ...['archive', 'unarchive', 'pin', 'unpin', 'delete', 'undelete'].map((name) => [name, 'a']),
      ['tag', 'x', 'a'],
      ['untag', 'x', 'a'],
      ...['show', 'timeline', 'delete'].map((name) => ['thread', name, 'a']),
      ['thread', 'list'],
      ['thread', 'rename', 'a', 'b'],
      ['thread', 'attach', 'a', 'b'],
      ['thread', 'detach', 'a', 'b'],
    ]
    for (const words of others) {
      await program.run(words)
      expect([words, program.mayMake]).toStrictEqual([words, false])
    }
    for (const words of [['new'], ['append', 'b', 'x', '--create'], ['thread', 'create', 'a']]) {
      program.mayMake = false
      await program.out(words)
      expect([words, program.mayMake]).toStrictEqual([words, true])
    }
  })
})

describe('sess list', () => {
  const fill = () =>
    sess.fill(async (store) => {
      await store.sessions.create({ id: 'a', name: 'Login test', tags: ['bug'], workingDir: '/srv/shop' })
      await store.sessions.create({ id: 'b', name: '杭州三日游', type: 'gateway', channelType: 'telegram' })
      await store.sessions.create({ id: 'c' })
      await store.messages.append('c', [{ role: 'user', content: 'What is a\u001b[31m preview?' }])
      await store.sessions.create({ id: 'd', name: 'Sub', type: 'sub_agent', parentSessionId: 'a' })
      await store.sessions.create({ id: 'e', name: 'Old' })
      await store.sessions.update('e', { archived: true })
      await store.sessions.create({ id: 'f', name: 'Gone' })
      await store.sessions.remove('f')
    })

  it('writes columns between tabs in a pipe', async () => {
    await fill()
    expect(await sess.out(['list'])).toBe(
      [
        'c\tWhat is a [31m preview?\tuser\t1\t2026-03-01T09:03:00.000Z\t',
        'b\t杭州三日游\tgateway\t0\t2026-03-01T09:01:00.000Z\t',
        'a\tLogin test\tuser\t0\t2026-03-01T09:00:00.000Z\t/srv/shop',
        '',
      ].join('\n'),
    )
  })

  it('filters by its flags', async () => {
    await fill()
    const ids = async (...args: string[]) =>
      (await sess.out(['ls', ...args])).match(/^[^\t\n]+/gm)?.join('') ?? ''
    expect(await ids('--all')).toBe('edcba')
    expect(await ids('--trash')).toBe('f')
    expect(await ids('--archived')).toBe('e')
    expect(await ids('--type', 'gateway,sub_agent', '--reverse')).toBe('bd')
    expect(await ids('--cwd', '/srv/../srv/shop', '--tag', 'bug', '--name', 'LOGIN')).toBe('a')
    expect(await ids('--parent', 'a')).toBe('d')
    expect(
      await ids('--since', '2026-03-01T10:01', '--until', '2026-03-01T09:03Z', '--tz', 'Europe/Berlin'),
    ).toBe('b')
    expect(await ids('--sort', 'created', '--limit', '3', '--channel', 'telegram')).toBe('b')
    expect(await ids('--since', '1d')).toBe('')
  })

  it('goes on with the next page, with the moments of the first', async () => {
    await fill()
    // An age that reaches back to a moment between the second session and the third, whenever this runs.
    const age = `${Math.floor((Date.now() - start) / 60_000) + 1}m`
    const first = await sess.run(['list', '--since', age, '--limit', '1'])
    expect(first.stdout).toMatch(/^c\t/)
    const next =
      /^Next page: sess list --since \d+m --limit 1 --cursor (\S+)\n$/.exec(first.stderr)?.[1] ?? ''
    const second = await sess.run(['list', '--since', age, '--limit', '1', '--cursor', next, '--json'])
    expect(second).toMatchObject({ code: 0, stderr: '' })
    const page = JSON.parse(second.stdout)
    expect(page.items.map(({ id }: { id: string }) => id)).toStrictEqual(['b'])
    const quiet = await sess.out(['list', '-q', '--since', age, '--limit', '1', '--cursor', page.nextCursor])
    expect(quiet).toMatch(/^a\t/)
    const other = await sess.run(['list', '--cursor', next, '--limit', '1'])
    expect(other).toMatchObject({ code: 5, stdout: '' })
  })

  it('takes a page of 1 to 1000', async () => {
    const limits = ['0', '5000', 'many']
    for (const words of limits.flatMap((limit) => [
      ['list', '--limit', limit],
      ['thread', 'list', '--limit', limit],
    ])) {
      const stderr = 'sess: --limit takes 1 to 1000\n'
      expect(await program.run(words)).toStrictEqual({ code: 2, stdout: '', stderr })
    }
    expect(await program.out(['list', '--limit', '1000'])).toBe('')
  })
})
