// What an agent gets back after compactions, cuts and resets, case by case.

import { restoreConversation, type SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { type ContextStep, contextCases } from './context-cases.ts'
import { allKinds, assistant, user } from './stores.ts'

const messageOf = (text: string) => (text.startsWith('u:') ? user(text.slice(2)) : assistant(text.slice(2)))

async function take(store: SessionStore, step: ContextStep): Promise<void> {
  const { messages } = store
  switch (step[0]) {
    case 'append':
      await messages.append('s', step.slice(1).map(messageOf), { createSession: true })
      return
    case 'replace':
      await messages.replace('s', step.slice(1).map(messageOf))
      return
    case 'compact':
      await messages.compact('s', { throughSeq: step[1], summary: user(step[2]) })
      return
    case 'compactAs':
      await messages.compact('s', { throughSeq: step[2], summary: { role: step[1], content: step[3] } })
      return
    case 'compactFails':
      await expect(
        messages.compact('s', { throughSeq: step[1], summary: user(step[2]) }),
      ).rejects.toMatchObject({ code: step[3], operation: 'messages.compact' })
      return
    case 'truncate':
      await messages.truncate('s', { fromSeq: step[1] })
      return
    case 'removeSeq': {
      const [message] = (await messages.read('s', { fromSeq: step[1], limit: 1 })).items
      expect(message?.seq).toBe(step[1])
      expect(await messages.remove('s', [message?.id ?? ''])).toBe(1)
      return
    }
    case 'resetContext':
      await store.sessions.resetContext('s')
      return
  }
}

describe.each(allKinds)('$kind', ({ open }) => {
  test.each(contextCases)('$name', async ({ steps, start, summary, restored }) => {
    const { store } = await open()
    for (const step of steps) await take(store, step)
    const session = await store.sessions.get('s')
    expect(session?.context).toEqual(
      summary === undefined ? { startSeq: start } : { startSeq: start, summarySeq: summary },
    )
    const { messages, found } = await restoreConversation(store, 's')
    expect(found).toBe(true)
    expect(messages).toEqual(restored.map(([role, text]) => ({ role, content: [{ type: 'text', text }] })))
  })
})
