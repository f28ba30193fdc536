import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '@sess/sqlite'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sess-agent-'))
const path = join(folder, 'agent.db')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: readonly string[]) {
  const agent = fileURLToPath(new URL('./agent.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@sess/source', agent, path, ...args],
    { encoding: 'utf8' },
  )
  return { status, lines: stdout.trim().split('\n'), stderr }
}

test('an agent that is killed between a call and its result goes on after a restart', async () => {
  expect(run('Hello')).toEqual({ status: 0, lines: ['user:text', 'As I said.'], stderr: '' })

  // Dies with a call that nothing answered. Question and call are stored.
  expect(run('How is the weather?', 'crash').status).toBe(9)
  const store = await openSqliteStore({ path })
  const [session] = (await store.sessions.list()).items
  expect([session?.messageCount, session?.preview]).toEqual([4, 'Let me look.'])
  await store.close()

  // Started again, it is one conversation, and the call is closed by an "interrupted" result before the new question.
  const again = run('And now?')
  expect(again.stderr).toBe('')
  expect(again.lines).toEqual([
    'user:text assistant:text user:text assistant:text+tool_use user:tool_result+text',
    'It is interrupted.',
  ])

  const reopened = await openSqliteStore({ path })
  const after = (await reopened.sessions.list()).items
  expect(after.map(({ messageCount, tokenCounts }) => [messageCount, tokenCounts.accumulated])).toEqual([
    [6, { input: 60, output: 10 }],
  ])
  await reopened.close()

  // Without a question it goes on: the call is done after all.
  expect(run('How is the weather?', 'crash').status).toBe(9)
  expect(run()).toEqual({
    status: 0,
    lines: [
      'user:text assistant:text user:text assistant:text+tool_use user:tool_result+text assistant:text ' +
        'user:text assistant:text+tool_use user:tool_result',
      'It is 4 °C in Oslo.',
    ],
    stderr: '',
  })
  expect(run()).toEqual({ status: 0, lines: [''], stderr: '' })
}, 60_000)
