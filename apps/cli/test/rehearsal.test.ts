// `sess import --dry-run` refuses what the import would refuse, and stores nothing.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '@sess/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'

const sess = useProgram()
let file: string

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'sess-rehearsal-')), 'chat.json')
})
afterEach(() => rmSync(join(file, '..'), { recursive: true }))

const chat = (id: string, ...texts: string[]) => ({
  format: 'sess',
  version: '1.0',
  session: { id, name: id },
  messages: texts.map((content, index) => ({ id: `${id}-${index}`, role: 'user', content })),
})

const write = (...chats: object[]) => writeFileSync(file, JSON.stringify(chats))

/** The dry run, and then the import. */
async function both() {
  const all = async () => ({
    ...(await sess.store.changes.since('now')),
    items: await sess.store.sessions.list(),
  })
  const before = await all()
  const dry = await sess.run(['import', file, '--dry-run'])
  expect(await all()).toStrictEqual(before)
  return [dry, await sess.run(['import', file])] as const
}

describe('sess import --dry-run', () => {
  it('refuses a message that is too large', async () => {
    sess.store = createMemoryStore({ maxMessageBytes: 100 })
    write(chat('a', 'hi'), chat('b', 'hi', 'x'.repeat(200)))
    const [dry, real] = await both()
    const message = `sess: ${file}: messages[1] has `
    expect(dry).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(message) })
    expect(real).toStrictEqual({
      ...dry,
      stderr: dry.stderr.replace('\n', ' (1 of 2 conversations are stored)\n'),
    })
  })

  it('refuses a history that has diverged from what is stored', async () => {
    write(chat('a', 'hi', 'ho'))
    const { items } = (await sess.json(['import', file, '-q'])) as { items: { id: string }[] }
    const id = items[0]?.id ?? ''
    write(chat('a', 'hi', 'other'))
    const [dry, real] = await both()
    expect(dry).toStrictEqual(real)
    const message = `session "${id}" was imported from this source and has diverged at messages[1]`
    expect(dry).toStrictEqual({ code: 4, stdout: '', stderr: `sess: ${file}: ${message}\n` })
    // What is in the trash is left there.
    await sess.store.sessions.remove(id)
    const [dryTrashed, realTrashed] = await both()
    expect([dryTrashed.code, realTrashed.code]).toStrictEqual([0, 0])
    expect(realTrashed.stdout).toMatch(/^skipped\t/)
  })

  it('goes through where the import does', async () => {
    write(chat('a', 'hi'))
    await sess.run(['import', file])
    write(chat('a', 'hi', 'more'), chat('b', 'hi'), chat('a', 'hi', 'more'))
    const [dry, real] = await both()
    expect(dry).toStrictEqual({
      code: 0,
      stdout: `checked\t\ta\t2\ta\t${file}\nchecked\t\tb\t1\tb\t${file}\nchecked\t\ta\t2\ta\t${file}\n`,
      stderr: '3 conversations, 5 messages found, nothing stored\n',
    })
    expect(real.stdout.match(/^\w+/gm)).toStrictEqual(['updated', 'created', 'unchanged'])
  })
})
