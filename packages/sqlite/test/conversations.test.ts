// The policies of core over a file: several hosts of one conversation, each in a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openConversation } from '@sess/core'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { temporaryFolder } from './support.ts'

/** What a host printed, and how it ended. */
async function converse(...args: readonly (string | number)[]): Promise<readonly [number, string]> {
  const file = fileURLToPath(new URL('./children/converse.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@sess/source', file, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString()
  })
  const [code] = await once(child, 'close')
  return [code, text]
}

test('two processes hold one conversation: nothing is lost, and all that is given can be sent', async () => {
  const path = join(temporaryFolder(), 'sess.db')
  const turns = 20
  const ended = await Promise.all([converse(path, 's', 'a', turns), converse(path, 's', 'b', turns)])
  expect(ended).toEqual([
    [0, 'done\n'],
    [0, 'done\n'],
  ])

  const store = await openSqliteStore({ path })
  const { items } = await store.messages.read('s', { limit: 1000 })
  const texts = items
    .filter(({ metadata }) => metadata.summary === undefined)
    .map(({ content: [block] }) => JSON.stringify(block))
  for (const name of ['a', 'b']) {
    const own = texts.filter((text) => text.includes(` ${name}-`) || text.includes(`"${name}-`))
    const words = Array.from({ length: turns }, (_, turn) => `${name}-${turn}.`)
    expect(own.map((text) => /[ab]-\d+\./.exec(text)?.[0])).toEqual(
      words.flatMap((word) => [word, word, word, word]),
    )
  }
  expect(texts).toHaveLength(8 * turns)
  expect((await store.sessions.get('s'))?.tokenCounts.accumulated).toEqual({ input: 2 * turns })

  const conversation = await openConversation(store, { id: 's' })
  const { messages } = await conversation.begin('and now?')
  expect(messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'and now?' }] })
  await store.close()
}, 120_000)
