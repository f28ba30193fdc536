// sess rename: a name by hand, which no model overwrites.

import { resolveLiveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { doneLine } from '../output/session.ts'
import type { Context } from '../runtime.ts'

export async function rename(context: Context, name: string, newName: string): Promise<undefined> {
  const store = await context.existingStore()
  const { id } = await resolveLiveSession(store, name)
  const session = await store.sessions.update(id, { name: newName })
  await writeReceipt(context, session, doneLine('renamed', session))
}
