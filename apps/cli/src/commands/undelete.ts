// sess undelete: back from the trash, with what went there together with it.

import { resolveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { doneLine } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export async function undelete(context: Context, name: string): Promise<undefined> {
  const store = await context.existingStore()
  const { id, deletedAt } = await resolveSession(store, name, { trashFirst: true })
  const session = await store.sessions.undelete(id)
  const nothing = `nothing to bring back: ${visibleLine(id)} is not in the trash\n`
  await writeReceipt(context, session, deletedAt === undefined ? nothing : doneLine('brought back', session))
}
