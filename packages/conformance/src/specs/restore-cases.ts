// The cases of text-only restore, each over a store: append, restore, compare.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { text } from '../data.ts'
import { type RestoreCase, restoreCases } from '../fixtures/text-restore.ts'
import type { Spec } from '../spec.ts'

function specOf({ id, title, messages, expected, report = {} }: RestoreCase): Spec {
  return {
    id,
    group: 'turns',
    title: `restore: ${title}`,
    needs: ['messages.recentTurns'],
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      await store.messages.append('s', messages)
      const restored = await restoreConversation(store, 's', { turns: 100 })
      assert.deepEqual(
        restored.messages,
        expected.map(([role, value]) => ({ role, content: [text(value)] })),
      )
      assert.deepEqual({ ...restored.report, ...report }, restored.report)
      assert.deepEqual([restored.found, restored.error, restored.report.damaged], [true, undefined, 0])
    },
  }
}

export const restoreCaseSpecs: readonly Spec[] = restoreCases.map(specOf)
