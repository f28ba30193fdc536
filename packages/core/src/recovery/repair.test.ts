import { expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { recoverConversation } from './recover.ts'

const refusal = {
  status: 400,
  message: 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t0',
}

test('a transcript has no half of a surrogate pair, of which a provider refuses the whole body', async () => {
  const store = createMemoryStore()
  const say = (role: 'user' | 'assistant', text: string) => ({ role, content: text })
  await store.messages.append('s', [say('user', 'q \ud800')], { createSession: true })
  await store.messages.compact('s', { throughSeq: 1, summary: say('user', 'S \udfff') })
  await store.messages.append('s', [
    say('user', 'q2 \ud800 😀'),
    say('assistant', 'r2 \udc00'),
    say('user', 'q3'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'wait \ud83d' },
        { type: 'tool_use', id: 't', name: 'ls', input: { cmd: '\ud83d' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'out \ud83d' }] },
  ])
  expect((await recoverConversation(store, 's', refusal)).done).toBe('repair')
  const { summary } = await store.messages.recentTurns('s', { turns: 1 })
  expect(summary?.content).toEqual([
    {
      type: 'text',
      text: [
        'S \ufffd',
        'User: q2 \ufffd 😀',
        'Assistant: r2 \ufffd',
        'User: q3',
        'Assistant: wait \ufffd',
        'Tool ls({"cmd":"\\ud83d"}): out \ufffd',
      ].join('\n\n'),
    },
  ])
})
