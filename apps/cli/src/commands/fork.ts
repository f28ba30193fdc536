// sess fork: a copy of a session, whole or through a message. Prints the new id, as sess new does.

import { resolveLiveSession } from '../find-session.ts'
import { toJsonText } from '../output/json.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export interface ForkFlags {
  readonly at?: string
  readonly atSeq?: number
  readonly name?: string
}

export async function fork(
  { existingStore, output, settings }: Context,
  name: string,
  flags: ForkFlags,
): Promise<undefined> {
  const store = await existingStore()
  const { id } = await resolveLiveSession(store, name)
  const session = await store.sessions.fork(id, {
    atMessageId: flags.at,
    atSeq: flags.atSeq,
    name: flags.name,
  })
  await output.write(`${settings.json ? toJsonText(session) : visibleLine(session.id)}\n`)
}
