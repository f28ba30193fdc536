// sess compact: a summary that stands for the beginning of a conversation in the agent's context. Nothing is rewritten.

import { StoreError } from '@sess/core'
import { resolveLiveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { visibleLine } from '../output/text.ts'
import { readInput } from '../read-input.ts'
import type { Context } from '../runtime.ts'

export interface CompactFlags {
  readonly through: number
  /** `-` reads standard input. */
  readonly summary: string
}

export async function compact(
  context: Context,
  name: string,
  { through, summary }: CompactFlags,
): Promise<undefined> {
  const text = (summary === '-' ? await readInput('-') : summary).trim()
  if (text === '') throw new StoreError('invalid', 'the summary is empty')
  const store = await context.existingStore()
  const { id } = await resolveLiveSession(store, name)
  const receipt = await store.messages.compact(id, {
    throughSeq: through,
    // The agent gets it as the user's in any case; as the system's it never is what a list shows as said last.
    summary: { role: 'system', content: text },
  })
  const from = receipt.messages[0]?.metadata.summary?.fromSeq
  const line = `compacted ${visibleLine(id)}: #${receipt.lastSeq} stands for #${from} to #${through}\n`
  await writeReceipt(context, receipt, line)
}
