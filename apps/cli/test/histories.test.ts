import { beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'
import { useSess } from './sess.ts'

const sess = useProgram()

const texts = ['Why is it red?', 'The clock.', 'Mend it.', 'Done.']

beforeEach(async () => {
  await sess.store.sessions.create({ id: 'login', name: 'Login test' })
  const talk = texts.map((content, index) => ({
    id: `m-${index + 1}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }))
  await sess.store.messages.append('login', talk)
})

const seqs = async (id: string) => (await sess.store.messages.read(id)).items.map(({ seq }) => seq)

describe('sess fork', () => {
  it('prints the id of a copy, whole or through a message', async () => {
    const whole = (await sess.out(['fork', 'log'])).trim()
    expect(await sess.store.sessions.get(whole)).toMatchObject({
      name: 'Login test (copy)',
      forkedFrom: { sessionId: 'login', seq: 4 },
    })
    const named = (await sess.out(['fork', 'login', '--at', 'm-2', '--name', 'Other way', '-q'])).trim()
    expect(await seqs(named)).toStrictEqual([1, 2])
    expect(await sess.json(['fork', 'login', '--at-seq', '0'])).toMatchObject({
      messageCount: 0,
      forkedFrom: { sessionId: 'login', seq: 0 },
    })
    expect(await sess.run(['fork', 'login', '--at', 'm-9'])).toStrictEqual({
      code: 3,
      stdout: '',
      stderr: 'sess: session "login" has no message "m-9"\n',
    })
    expect((await sess.run(['fork', 'login', '--at', 'm-1', '--at-seq', '1'])).code).toBe(2)
  })
})

describe('sess rewind', () => {
  it('moves what comes after a message to a hidden branch', async () => {
    const told = await sess.out(['rewind', 'login', '--to', 'm-3'])
    const [, branch = ''] = /^rewound login: 1 message moved to the hidden branch (\S+)\n$/.exec(told) ?? []
    expect(await sess.out(['show', branch])).toMatch(/\nbranch of login\n\nassistant .* #4\nDone\.\n$/)
    expect(await sess.json(['rewind', 'login', '--to-seq', '0'])).toMatchObject({
      session: { id: 'login', messageCount: 0 },
      branch: { type: 'hidden', messageCount: 3 },
    })
    expect(await sess.out(['rewind', 'login', '--to-seq', '2'])).toBe(
      'nothing to rewind in login: no message comes after that one\n',
    )
    const which = 'say which message to go back to: --to with its id, or --to-seq with its number'
    expect(await sess.run(['rewind', 'login'])).toMatchObject({ code: 2, stderr: `sess: ${which}\n` })
    expect((await sess.run(['rewind', 'login', '--to', 'm-1', '--to-seq', '1'])).code).toBe(2)
    expect((await sess.run(['rewind', 'login', '--to', 'm-9'])).code).toBe(3)
  })
})

describe('sess compact', () => {
  it('lets a summary stand for the beginning', async () => {
    const args = ['compact', 'login', '--through', '2', '--summary']
    expect(await sess.out([...args, ' The clock was off.\n'])).toBe(
      'compacted login: #5 stands for #1 to #2\n',
    )
    expect(await sess.out(['context', 'login', '-q'])).toBe(
      'user\nThe clock was off.\n\nMend it.\n\nassistant\nDone.\n',
    )
    // What is listed as said last stays.
    expect((await sess.store.sessions.get('login'))?.preview).toBe('Done.')
    expect(await sess.json(['compact', 'login', '--through', '4', '--summary', 'Mended.'])).toMatchObject({
      firstSeq: 6,
      messages: [
        { content: [{ text: 'Mended.' }], metadata: { summary: { fromSeq: 1, throughSeq: 4, line: [5] } } },
      ],
    })
    expect(await sess.out(['show', 'login', '--from', '6'])).toContain('  #6  summary of #1 to #4\nMended.\n')
    expect(await sess.run([...args, ' '])).toMatchObject({ code: 5, stderr: 'sess: the summary is empty\n' })
    expect((await sess.run(['compact', 'login', '--through', '9', '--summary', 'x'])).code).toBe(5)
    expect(await sess.run(['compact', 'login', '--through', '4'])).toMatchObject({
      code: 2,
      stderr: "sess: required option '--summary <text>' not specified\n",
    })
  })
})

describe('sess reset', () => {
  it('lets the context begin afresh', async () => {
    expect(await sess.out(['reset', 'login'])).toBe(
      'reset login: the context begins with #5, the next message\n',
    )
    expect(await sess.json(['reset', 'login'])).toMatchObject({ context: { startSeq: 5 }, messageCount: 4 })
  })
})

describe('sess truncate, clear', () => {
  it('deletes messages', async () => {
    expect(await sess.out(['truncate', 'login', '--from', '4', '--yes'])).toBe('deleted 1 message of login\n')
    expect(await seqs('login')).toStrictEqual([1, 2, 3])
    expect(await sess.json(['truncate', 'login', '--from', '3', '--yes'])).toStrictEqual({
      id: 'login',
      deleted: 1,
    })
    expect(await sess.out(['clear', '@last', '--yes'])).toBe('deleted 2 messages of login\n')
    expect(await seqs('login')).toStrictEqual([])
    expect((await sess.run(['truncate', 'login', '--yes'])).code).toBe(2)
  })
})

describe('standard input', () => {
  const child = useSess()

  it('is where a summary may come from, and where nobody can be asked', async () => {
    await child.fill(async (store) => {
      await store.sessions.create({ id: 'login' })
      await store.messages.append('login', [{ role: 'user', content: 'Why?' }])
    })
    const args = ['compact', 'login', '--through', '1', '--summary', '-']
    expect(await child.out(args, { input: 'Off by one.\n' })).toBe(
      'compacted login: #2 stands for #1 to #1\n',
    )
    for (const refused of [
      ['delete', 'login', '--purge'],
      ['clear', 'login'],
    ]) {
      expect(await child.run(refused, { input: 'yes\n' })).toStrictEqual({
        code: 2,
        stdout: '',
        stderr: 'sess: what is deleted for good does not come back: add --yes\n',
      })
    }
    const { items } = await child.fill((store) => store.messages.read('login'))
    expect(items.map(({ content }) => content)).toMatchObject([[{ text: 'Why?' }], [{ text: 'Off by one.' }]])
  })
})
