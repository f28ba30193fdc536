// What `sess context` gives beyond texts: tool calls, windows by tokens, bodies of requests.

import { beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'

const sess = useProgram()

beforeEach(async () => {
  for (const turn of [1, 2, 3]) {
    await sess.store.messages.append(
      'login',
      [
        { role: 'user', content: `question ${turn}` },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${turn}`, name: 'shell', input: { cmd: 'ls' } }],
        },
        ...(turn < 3
          ? [
              {
                role: 'user' as const,
                content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: 'a\nb' }],
              },
              { role: 'assistant' as const, content: `answer ${turn}` },
            ]
          : []),
      ],
      { createSession: true },
    )
  }
})

describe('sess context', () => {
  it('in full mode gives calls and results, mended', async () => {
    expect(await sess.run(['context', 'login', '--mode', 'full', '--turns', '2'])).toStrictEqual({
      code: 0,
      stdout:
        'user\nquestion 2\n\nassistant\n→ shell  {"cmd":"ls"}\n\nuser\n← a\nb\n\nassistant\nanswer 2\n\n' +
        'user\nquestion 3\n\nassistant\n→ shell  {"cmd":"ls"}\n\nuser\n← interrupted\n',
      stderr:
        'Context: 7 messages of 2 turns, earlier turns left out, 1 turn interrupted, 1 tool pair mended\n',
    })
  })

  it('takes the latest turns that fit', async () => {
    const { stdout } = await sess.run(['context', 'login', '--max-tokens', '8', '--json'])
    const { turns, report } = JSON.parse(stdout)
    expect([turns, report.truncatedBy]).toEqual([2, 'tokens'])
  })

  it.each([
    ['anthropic', { messages: [{ role: 'user', content: [{ type: 'text', text: 'question 3' }] }] }],
    ['openai', { messages: [{ role: 'user', content: 'question 3' }] }],
    ['gemini', { contents: [{ role: 'user', parts: [{ text: 'question 3' }] }] }],
  ])('gives the body of a request to %s', async (format, body) => {
    const { code, stdout } = await sess.run(['context', 'login', '--turns', '1', '--format', format])
    expect([code, JSON.parse(stdout)]).toEqual([0, body])
  })

  it('refuses two windows at once', async () => {
    const { code, stdout } = await sess.run(['context', 'login', '--turns', '1', '--max-tokens', '5'])
    expect([code, stdout]).toEqual([2, ''])
  })
})
