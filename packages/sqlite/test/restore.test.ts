// Restore over a file: it reads no tool payload in text mode, writes nothing, and an agent starts with what can be read.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NewMessage, restoreConversation } from '@sess/core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { temporaryFolder } from './support.ts'

const payload = 'x'.repeat(1_000_000)

/** A turn with a call and a result of a megabyte each. */
function turn(number: number): NewMessage[] {
  const id = `t${number}`
  return [
    { role: 'user', content: `q${number}` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'let me look' },
        { type: 'tool_use', id, name: 'write', input: { payload } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: payload }] },
    { role: 'assistant', content: `a${number}` },
  ]
}

async function makeStore(turns: number): Promise<string> {
  const path = join(temporaryFolder(), 'sess.db')
  const store = await openSqliteStore({ path })
  for (let number = 1; number <= turns; number++) {
    await store.messages.append('s', turn(number), { createSession: true })
  }
  await store.close()
  return path
}

/** Bytes this process has read through system calls, where the kernel counts them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

const countsReads = process.platform === 'linux'

test.skipIf(!countsReads)('in text mode reads no tool payload: kilobytes of a session of 40 MB', async () => {
  const path = await makeStore(20)
  const store = await openSqliteStore({ path, readOnly: true })
  const before = bytesRead()
  const { messages } = await restoreConversation(store, 's', { turns: 20 })
  const read = bytesRead() - before
  expect(messages).toHaveLength(40)
  expect(read).toBeLessThan(1_000_000)
  await restoreConversation(store, 's', { turns: 20, mode: 'full' })
  expect(bytesRead() - before).toBeGreaterThan(40_000_000)
  await store.close()
})

test('writes nothing, in either mode', async () => {
  const path = await makeStore(2)
  const before = readFileSync(path)
  const store = await openSqliteStore({ path })
  const version = (await store.sessions.get('s'))?.version
  for (const mode of ['text', 'full'] as const) {
    await restoreConversation(store, 's', { mode })
    await restoreConversation(store, 's', { mode, maxTokens: 100 })
  }
  expect((await store.sessions.get('s'))?.version).toBe(version)
  await store.close()
  expect(readFileSync(path).equals(before)).toBe(true)
})

describe('an agent starts with what can be read', () => {
  test.each([
    ['broken JSON', "content_json = '{broken'", 'content is not JSON'],
    ['an unknown role', "role = 'developer'", 'unknown role "developer"'],
    ['broken metadata', "metadata_json = '[1]'", 'metadata is not a JSON object'],
  ])('beside a row of %s', async (_name, change, reason) => {
    const path = await makeStore(2)
    const database = new Database(path)
    database.exec(`UPDATE messages SET ${change} WHERE seq = 4`)
    database.close()
    const store = await openSqliteStore({ path })
    const restored = await restoreConversation(store, 's')
    expect(restored.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'q1\n\nq2' }],
      [{ type: 'text', text: 'a2' }],
    ])
    expect([restored.found, restored.report.damaged, restored.error?.code]).toEqual([true, 1, 'corrupt'])
    expect(restored.error?.message).toBe(`1 damaged row at seq 4: ${reason}`)
    await expect(restoreConversation(store, 's', { onError: 'throw' })).rejects.toMatchObject({
      code: 'corrupt',
    })
    await store.close()
  })

  test('while somebody else writes', async () => {
    const path = await makeStore(1)
    const writer = new Database(path)
    writer.exec('BEGIN IMMEDIATE')
    const store = await openSqliteStore({ path, busyTimeout: 50 })
    const { messages, error } = await restoreConversation(store, 's')
    expect([messages.length, error]).toEqual([2, undefined])
    await store.close()
    writer.exec('COMMIT')
    writer.close()
  })

  test('from a closed store: with nothing, and the reason', async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    await store.close()
    const { found, messages, error } = await restoreConversation(store, 's')
    expect([found, messages, error?.code]).toEqual([false, [], 'closed'])
  })

  test('from an unknown session: nothing, and no error', async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    const { found, messages, error } = await restoreConversation(store, 'none', { mode: 'full' })
    expect([found, messages, error]).toEqual([false, [], undefined])
    await store.close()
  })
})
