// sess new: creates a session.

import { resolve } from 'node:path'
import { type SessionType, StoreError } from '@sess/core'
import { usageError } from '../failure.ts'
import { isPlace, resolveLiveSession } from '../find-session.ts'
import { toJsonText } from '../output/json.ts'
import { visibleLine } from '../output/text.ts'
import type { Context } from '../runtime.ts'

export interface NewFlags {
  readonly id?: string
  readonly name?: string
  readonly type?: SessionType
  readonly cwd?: string
  readonly channel?: string
  readonly chat?: string
  readonly owner?: string
  readonly tag?: readonly string[]
  readonly provider?: string
  readonly model?: string
  readonly parent?: string
}

export async function newSession(
  { store: open, output, settings }: Context,
  flags: NewFlags,
): Promise<undefined> {
  if (flags.chat !== undefined && flags.channel === undefined) throw usageError('--chat needs --channel')
  if (flags.id !== undefined && isPlace(flags.id)) {
    throw new StoreError('invalid', `id: "${flags.id}" is a place among the latest sessions, no id`)
  }
  const store = await open()
  const parent = flags.parent === undefined ? undefined : await resolveLiveSession(store, flags.parent)
  const session = await store.sessions.create({
    id: flags.id,
    name: flags.name,
    type: flags.type,
    workingDir: flags.cwd === undefined ? undefined : resolve(flags.cwd),
    channelType: flags.channel,
    channelKey: flags.chat,
    ownerId: flags.owner,
    tags: flags.tag,
    providerName: flags.provider,
    modelConfig: flags.model === undefined ? undefined : { model: flags.model },
    parentSessionId: parent?.id,
  })
  await output.write(`${settings.json ? toJsonText(session) : visibleLine(session.id)}\n`)
}
