// sess truncate, clear: messages deleted for good, after a question or with --yes.

import type { Session } from '@sess/core'
import { confirmUnless } from '../confirm.ts'
import { exitCodes } from '../exit-codes.ts'
import { resolveLiveSession } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { countOf, displayName } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export interface TruncateFlags {
  readonly from: number
  readonly yes?: boolean
}

export interface ClearFlags {
  readonly yes?: boolean
}

export function truncate(context: Context, name: string, { from, yes }: TruncateFlags): Promise<number> {
  return cut(context, name, from, yes)
}

export function clear(context: Context, name: string, { yes }: ClearFlags): Promise<number> {
  return cut(context, name, undefined, yes)
}

/** From a message on, or everything. */
async function cut(
  context: Context,
  name: string,
  fromSeq: number | undefined,
  yes: boolean | undefined,
): Promise<number> {
  const confirm = confirmUnless(yes)
  const store = await context.existingStore()
  const session = await resolveLiveSession(store, name)
  const { id } = session
  if (!(await confirm(describeCut(session, fromSeq)))) {
    context.output.note('Nothing deleted.')
    return exitCodes.other
  }
  const { messages } = store
  const deleted = await (fromSeq === undefined ? messages.clear(id) : messages.truncate(id, { fromSeq }))
  const line = `deleted ${countOf(deleted, 'message')} of ${visibleLine(id)}\n`
  await writeReceipt(context, { id, deleted }, line)
  return exitCodes.ok
}

function describeCut(session: Session, fromSeq: number | undefined): string {
  const what = fromSeq === undefined ? 'all messages' : `all messages from #${fromSeq} on`
  return `To be deleted for good: ${what} of ${visibleLine(session.id)}: ${displayName(session)}`
}
