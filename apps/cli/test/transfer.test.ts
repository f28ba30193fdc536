import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createMemoryStore } from '@sess/core/memory'
import { describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'
import { useSess } from './sess.ts'

const sess = useSess()
const program = useProgram()

const fill = () =>
  sess.fill(async (store) => {
    await store.sessions.create({ id: 'a', name: 'Login test' })
    await store.messages.append('a', [
      { id: 'm-1', role: 'user', content: 'red\u001b[31m \u009b \u202e?' },
      { id: 'm-2', role: 'assistant', content: 'by one hour' },
    ])
    await store.sessions.create({ id: 'b', name: '空', type: 'hidden' })
  })

const read = (name: string) => readFileSync(sess.path(name), 'utf8')

describe('sess export', () => {
  it('writes the envelope of a session', async () => {
    await fill()
    const text = await sess.out(['export', 'a'])
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    const envelope = JSON.parse(text)
    expect(text).toBe(
      `${JSON.stringify(envelope, null, 2).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e')}\n`,
    )
    expect(envelope).toMatchObject({
      format: 'sess',
      version: '1.0',
      session: { id: 'a', name: 'Login test', message_count: 2 },
      messages: [
        { id: 'm-1', seq: 1, content: [{ text: 'red\u001b[31m \u009b \u202e?' }] },
        { id: 'm-2', seq: 2 },
      ],
    })
  })

  it('writes several as an array, or as lines', async () => {
    await fill()
    const ids = (envelopes: { session: { id: string } }[]) => envelopes.map(({ session }) => session.id)
    expect(ids(JSON.parse(await sess.out(['export', 'b', 'a', 'b'])))).toStrictEqual(['b', 'a'])
    expect(ids(JSON.parse(await sess.out(['export', '--all'])))).toStrictEqual(['a', 'b'])
    const lines = (await sess.out(['export', '--all', '--format', 'jsonl'])).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).session?.id ?? JSON.parse(line).id)).toStrictEqual([
      'a',
      'm-1',
      'm-2',
      'b',
    ])
    expect(await program.out(['export', '--all'])).toBe('[]\n')
  })

  it('writes a file that appears when it is complete', async () => {
    await fill()
    const { code, stdout, stderr } = await sess.run(['export', '--all', '-o', 'all.json'])
    expect({ code, stdout, stderr }).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: '2 conversations, 2 messages written to all.json\n',
    })
    expect(JSON.parse(read('all.json'))).toHaveLength(2)
    expect(statSync(sess.path('all.json')).mode & 0o777).toBe(0o600)
    // Through a link, over a file whose mode stays.
    writeFileSync(sess.path('real.jsonl'), 'old', { mode: 0o644 })
    symlinkSync('real.jsonl', sess.path('link.jsonl'))
    const receipt = await sess.out(['export', 'a', '--format', 'jsonl', '-o', 'link.jsonl', '--json'])
    expect(JSON.parse(receipt)).toStrictEqual({
      path: 'link.jsonl',
      format: 'jsonl',
      sessions: 1,
      messages: 2,
      damaged: 0,
    })
    expect(read('real.jsonl').split('\n')).toHaveLength(4)
    expect(statSync(sess.path('real.jsonl')).mode & 0o777).toBe(0o644)
    expect(readdirSync(sess.folder).filter((name) => name.endsWith('.tmp'))).toStrictEqual([])
  })

  it('takes the format from the extension unless it is given', async () => {
    await program.store.sessions.create({ id: 'a' })
    const formatOf = async (name: string, ...flags: string[]) => {
      const words = ['export', '--all', '-o', sess.path(name), ...flags]
      const { format } = (await program.json(words)) as { format: string }
      return `${format} ${read(name).startsWith('[') ? 'array' : 'lines'}`
    }
    expect(await formatOf('a.jsonl')).toBe('jsonl lines')
    expect(await formatOf('a.json')).toBe('json array')
    expect(await formatOf('a.txt')).toBe('json array')
    expect(await formatOf('b.jsonl', '--format', 'json')).toBe('json array')
  })

  it('refuses a folder, and leaves an old file alone when a session is missing', async () => {
    await fill()
    mkdirSync(sess.path('folder'))
    expect(await sess.run(['export', 'a', '-o', 'folder', '--json'])).toStrictEqual({
      code: 6,
      stdout: '',
      stderr:
        '{"error":{"code":"unavailable","message":"folder: it is a folder, not a file","operation":"export"}}\n',
    })
    writeFileSync(sess.path('old.json'), 'old')
    expect((await sess.run(['export', 'a', 'nobody', '-o', 'old.json'])).code).toBe(3)
    expect(read('old.json')).toBe('old')
    expect((await sess.run(['export', 'a', '-o', 'no/where.json'])).stderr).toBe(
      'sess: no/where.json: there is no such file or folder\n',
    )
  })
})

describe('sess import', () => {
  it('brings back what was exported, and nothing twice', async () => {
    await fill()
    await sess.run(['export', '--all', '-q', '-o', 'all.json'])
    const into = ['--db', 'new.db', '--tz', 'UTC']
    const first = await sess.run([...into, 'import', 'all.json'])
    const [a = '', b = ''] = [...first.stdout.matchAll(/^created\t(\S+)/gm)].map((match) => match[1])
    expect(first).toStrictEqual({
      code: 0,
      stdout: `created\t${a}\ta\t2\tLogin test\tall.json\ncreated\t${b}\tb\t0\t空\tall.json\n`,
      stderr: '2 conversations, 2 messages added\n',
    })
    // By the id it had before.
    const again = JSON.parse(await sess.out([...into, 'export', 'a']))
    const before = JSON.parse(read('all.json'))[0]
    expect(again.messages).toStrictEqual(before.messages)
    expect(again.session).toMatchObject({
      id: a,
      name: 'Login test',
      source: { agent: 'sess', session_id: 'a' },
    })

    await sess.out(['append', 'a', 'One more', '-q'])
    const update = await sess.out(['export', '--all', '--format', 'jsonl'])
    const receipts = JSON.parse(await sess.out([...into, 'import', '-', '--json', '-q'], { input: update }))
    expect(receipts).toStrictEqual({
      items: [
        {
          path: 'standard input',
          format: 'sess-jsonl',
          outcome: 'updated',
          sourceId: 'a',
          name: 'Login test',
          messages: 1,
          id: a,
        },
        {
          path: 'standard input',
          format: 'sess-jsonl',
          outcome: 'unchanged',
          sourceId: 'b',
          name: '空',
          messages: 0,
          id: b,
        },
      ],
    })
  })

  it('links what came in one run, and nothing to a session of this store', async () => {
    const { sessions, messages } = program.store
    await sessions.create({ id: 'top', name: 'Top' })
    await messages.append('top', [{ role: 'user', content: 'a' }])
    await messages.append('top', [{ role: 'assistant', content: 'b' }])
    await sessions.create({ id: 'sub', type: 'sub_agent', parentSessionId: 'top' })
    const { branch } = await sessions.rewind('top', { toSeq: 1 })
    await sessions.fork('top', { id: 'fork', atSeq: 1 })
    const whole = ['export', 'sub', branch?.id ?? '', 'fork', 'top', '-q', '-o', sess.path('all.json')]
    await program.out(whole)
    await program.out(['export', 'sub', 'fork', '-q', '-o', sess.path('part.json')])

    /** Into a store that has a session of the old id of its own. */
    const importInto = async (file: string) => {
      program.store = createMemoryStore()
      await program.store.sessions.create({ id: 'top', name: 'Unrelated' })
      const { items } = (await program.json(['import', sess.path(file), '-q'])) as { items: { id: string }[] }
      return Promise.all(items.map(({ id }) => program.store.sessions.get(id)))
    }
    const [sub, hidden, fork, top] = await importInto('all.json')
    expect(top).toMatchObject({ name: 'Top', source: { sessionId: 'top' } })
    expect(sub?.parentSessionId).toBe(top?.id)
    expect(hidden?.branchOf).toBe(top?.id)
    expect(fork?.forkedFrom).toStrictEqual({ sessionId: top?.id, seq: 1 })
    // Once more, and the sub-agent alone: it keeps its link.
    expect(await program.json(['import', sess.path('part.json'), '-q'])).toMatchObject({
      items: [
        { outcome: 'unchanged', id: sub?.id },
        { outcome: 'unchanged', id: fork?.id },
      ],
    })
    expect((await program.store.sessions.get(sub?.id ?? ''))?.parentSessionId).toBe(top?.id)

    for (const session of await importInto('part.json')) {
      expect(session).not.toHaveProperty('parentSessionId')
      expect(session).not.toHaveProperty('forkedFrom')
    }
  })

  it('reads all before it stores any', async () => {
    writeFileSync(sess.path('good.jsonl'), '{"role":"user","content":"hi"}\n')
    writeFileSync(sess.path('bad.jsonl'), '{"role":"user","content":"hi"}\n{"role":"nobody","content":""}\n')
    const { code, stdout, stderr } = await sess.run(['import', 'good.jsonl', 'bad.jsonl'])
    expect({ code, stdout }).toStrictEqual({ code: 5, stdout: '' })
    expect(stderr).toMatch(/^sess: bad\.jsonl: line 2: messages\[1\]\.role: /)
    expect(existsSync(sess.path('sess.db'))).toBe(false)
    expect((await sess.run(['import', 'good.jsonl', 'missing.json'])).stderr).toBe(
      'sess: missing.json: there is no such file or folder\n',
    )
    expect((await sess.run(['import', 'good.jsonl', '--from', 'goose'])).stderr).toBe(
      'sess: good.jsonl: is message-lines, not what --from goose takes\n',
    )
    writeFileSync(sess.path('empty.json'), '\n')
    const empty = await program.run(['import', sess.path('empty.json')])
    expect(empty).toStrictEqual({
      code: 5,
      stdout: '',
      stderr: `sess: ${sess.path('empty.json')}: is empty\n`,
    })
    writeFileSync(sess.path('utf16.json'), '{"role":"user"}', 'utf16le')
    expect((await sess.run(['import', 'utf16.json'])).code).toBe(5)
  })

  it('stores nothing in a dry run', async () => {
    writeFileSync(
      sess.path('good.jsonl'),
      '{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho"}\n',
    )
    expect(await sess.run(['import', 'good.jsonl', '--dry-run'])).toStrictEqual({
      code: 0,
      stdout: 'checked\t\t\t2\t\tgood.jsonl\n',
      stderr: '1 conversation, 2 messages found, nothing stored\n',
    })
    expect(existsSync(sess.path('sess.db'))).toBe(false)
  })

  it('reads a session of Goose', async () => {
    const goose = {
      id: '20251001_3',
      description: 'A goose',
      working_dir: '/tmp',
      created_at: '2025-10-01T09:00:00Z',
      updated_at: '2025-10-01T09:00:00Z',
      extension_data: {},
      message_count: 1,
      conversation: [
        { role: 'user', created: 1759309200, content: [{ type: 'text', text: 'honk' }], metadata: {} },
      ],
    }
    const input = JSON.stringify(goose)
    expect(await sess.out(['import', '-', '--from', 'goose', '-q', '--json'], { input })).toContain(
      '"outcome":"created","sourceId":"20251001_3","name":"A goose","messages":1',
    )
    expect(await sess.out(['show', '20251001_3', '-q'])).toContain('\nhonk\n')
  })
})

describe('sess demo', () => {
  it('walks through a store that is gone afterwards', async () => {
    const shown = await sess.out(['demo'])
    expect(shown).toMatch(/1 {2}What is there .*\$ sess list\n/)
    expect(shown).toContain('杭州')
    expect(shown).toMatch(/\$ sess search 'mock clock' --limit 1\n.*\n.*\[mock\] \[clock\]/)
    expect(shown).toMatch(/\$ sess search '西湖' --limit 1\n.*\n.*\[西湖\]/)
    expect(shown).toMatch(/Upgrade routa from 3 to 4 +224 +[\d,]+ +[\d,]+ +6 +[\d,]+ +[\d,]+ +\d+x\n/)
    const [, fork = ''] = /\$ sess fork \S+ --at \S+\n\n {2}(\S+)\n/.exec(shown) ?? []
    const [, branch = ''] = /rewound \S+: 2 messages moved to the hidden branch (\S+)\n/.exec(shown) ?? []
    expect(shown).toContain(`  $ sess show ${branch}\n  user       Committed.`)
    expect(shown).toMatch(/ sess thread timeline "CI is red" [\s\S]* Ana does, on her laptop\.\n/)
    expect(shown).toMatch(new RegExp(`  \\d+ {2}${fork} {2}removed, by "sess delete ${fork} --purge"\n`))
    expect(shown).toContain(
      '$ npx -y pnpm@12 --silent sess import examples/conversations/login-test.json  or your own files\n',
    )
    expect(shown.split('\n').length).toBeLessThan(90)
    const { items } = JSON.parse(await sess.out(['demo', '--json']))
    expect(items).toHaveLength(3)
    for (const { factor } of items) expect(factor).toBeGreaterThan(3)
    // The folder is the one for temporary files, too.
    expect(readdirSync(sess.folder)).toStrictEqual([])
  })
})
