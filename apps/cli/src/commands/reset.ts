// sess reset: the agent begins afresh; nothing is deleted.

import { resolveLiveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export async function reset(context: Context, name: string): Promise<undefined> {
  const store = await context.existingStore()
  const { id } = await resolveLiveSession(store, name)
  const session = await store.sessions.resetContext(id)
  const line = `reset ${visibleLine(id)}: the context begins with #${session.context.startSeq}, the next message\n`
  await writeReceipt(context, session, line)
}
