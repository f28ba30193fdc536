// sess rewind: back to a message. What came after it is not lost: a hidden branch has it.

import type { SessionStore } from '@sess/core'
import { usageError } from '../failure.ts'
import { resolveLiveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { countOf } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export interface RewindFlags {
  readonly to?: string
  readonly toSeq?: number
}

export async function rewind(context: Context, name: string, { to, toSeq }: RewindFlags): Promise<undefined> {
  if ((to === undefined) === (toSeq === undefined)) {
    throw usageError('say which message to go back to: --to with its id, or --to-seq with its number')
  }
  const store = await context.existingStore()
  const { id } = await resolveLiveSession(store, name)
  const rewound = await store.sessions.rewind(id, { toMessageId: to, toSeq })
  await writeReceipt(context, rewound, `${describeRewind(rewound)}\n`)
}

type Rewound = Awaited<ReturnType<SessionStore['sessions']['rewind']>>

/** What was taken away, and where it is now. */
export function describeRewind({ session, branch }: Rewound): string {
  const id = visibleLine(session.id)
  if (branch === undefined) return `nothing to rewind in ${id}: no message comes after that one`
  const moved = countOf(branch.messageCount, 'message')
  return `rewound ${id}: ${moved} moved to the hidden branch ${visibleLine(branch.id)}`
}
