// The cases of compaction, each over a store: steps, then the session's context and what an agent gets back.

import assert from 'node:assert/strict'
import { restoreConversation, type SessionStore } from '@sess/core'
import { defined, rejects } from '../assertions.ts'
import { assistant, text, user } from '../data.ts'
import { type ContextCase, type ContextStep, contextCases } from '../fixtures/context.ts'
import type { PortMethod } from '../methods.ts'
import type { Spec } from '../spec.ts'

const methods: { readonly [step in ContextStep[0]]: PortMethod | undefined } = {
  append: undefined,
  replace: 'messages.replace',
  compact: 'messages.compact',
  compactAs: 'messages.compact',
  compactFails: 'messages.compact',
  removeSeq: 'messages.remove',
  truncate: 'messages.truncate',
  resetContext: 'sessions.resetContext',
}

function messageOf(step: string) {
  return step.startsWith('a:') ? assistant(step.slice(2)) : user(step.slice(2))
}

async function take(store: SessionStore, step: ContextStep): Promise<unknown> {
  const { messages } = store
  switch (step[0]) {
    case 'append':
      return messages.append('s', step.slice(1).map(messageOf), { createSession: true })
    case 'replace':
      return messages.replace('s', step.slice(1).map(messageOf))
    case 'compact':
      return messages.compact('s', { throughSeq: step[1], summary: user(step[2]) })
    case 'compactAs':
      return messages.compact('s', { throughSeq: step[2], summary: { role: step[1], content: step[3] } })
    case 'compactFails': {
      const [, throughSeq, summary, code] = step
      return rejects(code, 'messages.compact', () =>
        messages.compact('s', { throughSeq, summary: user(summary) }),
      )
    }
    case 'removeSeq': {
      const [row] = (await messages.read('s', { fromSeq: step[1], toSeq: step[1] })).items
      return messages.remove('s', [defined(row).id])
    }
    case 'truncate':
      return messages.truncate('s', { fromSeq: step[1] })
    case 'resetContext':
      return store.sessions.resetContext('s')
  }
}

function specOf({ id, title, steps, start, summary, restored }: ContextCase): Spec {
  const called = steps.flatMap(([name]) => methods[name] ?? [])
  return {
    id,
    group: 'contexts',
    title: `context: ${title}`,
    needs: [...new Set<PortMethod>([...called, 'messages.recentTurns'])],
    async run({ store }) {
      for (const step of steps) await take(store, step)
      const { context } = defined(await store.sessions.get('s'))
      const summarySeq = summary === undefined ? {} : { summarySeq: summary }
      assert.deepEqual(context, { startSeq: start, ...summarySeq })
      const { messages, error } = await restoreConversation(store, 's')
      assert.equal(error, undefined)
      assert.deepEqual(
        messages,
        restored.map(([role, value]) => ({ role, content: [text(value)] })),
      )
    },
  }
}

export const contextCaseSpecs: readonly Spec[] = contextCases.map(specOf)
