// Restores 5 turns of sessions of 100, 10,000 and 100,000 messages, half of them tool calls and results of 5 KB: the
// time must not grow with the session. The ratio is to the shortest.

import { join } from 'node:path'
import { type NewMessage, restoreConversation } from '@sess/core'
import { openSqliteStore } from '@sess/sqlite'
import { inTemporaryFolder, medianMicroseconds, print } from './measure.ts'

const payload = 'x'.repeat(5000)

/** Turns of four messages: question, tool call, result, answer. */
function turn(number: number): NewMessage[] {
  const id = `call-${number}`
  return [
    { role: 'user', content: `question ${number}` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'let me look' },
        { type: 'tool_use', id, name: 'write', input: { payload } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: payload }] },
    { role: 'assistant', content: `answer ${number}` },
  ]
}

await inTemporaryFolder(async (folder) => {
  const store = await openSqliteStore({ path: join(folder, 'sess.db') })
  const sizes = [100, 10_000, 100_000]
  for (const size of sizes) {
    for (let start = 0; start < size / 4; start += 250) {
      const turns = Array.from({ length: Math.min(250, size / 4 - start) }, (_, index) => turn(start + index))
      await store.messages.append(`s${size}`, turns.flat(), { createSession: true })
    }
  }
  let shortest: number | undefined
  for (const size of sizes) {
    const time = await medianMicroseconds(200, 7, () => restoreConversation(store, `s${size}`, { turns: 5 }))
    shortest ??= time
    print(
      `restore 5 turns of ${String(size).padStart(7)} messages: ${time.toFixed(0).padStart(5)} us, ${(time / shortest).toFixed(2)}x`,
    )
  }
  await store.close()
})
