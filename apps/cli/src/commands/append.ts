// sess append: one message, or the JSON lines of standard input, all or nothing.

import { type AppendReceipt, type NewMessage, type Role, readConversations, StoreError } from '@sess/core'
import { usageError } from '../failure.ts'
import { findSession, isPlace, resolveLiveSession, UnknownSessionError } from '../find-session.ts'
import { writeReceipt } from '../output/receipt.ts'
import { countOf } from '../output/session.ts'
import { readInput } from '../read-input.ts'
import type { Context } from '../runtime.ts'

export interface AppendFlags {
  readonly role?: Role
  readonly create?: boolean
}

export async function append(
  context: Context,
  name: string,
  text: string | undefined,
  flags: AppendFlags,
): Promise<undefined> {
  const messages = await readMessages(text, flags)
  const store = await (flags.create ? context.store() : context.existingStore())
  const receipt = flags.create
    ? await store.messages.append(
        (await findSession(store, name, { whole: true }))?.id ?? newId(name),
        messages,
        { createSession: true },
      )
    : await store.messages.append((await resolveLiveSession(store, name)).id, messages)
  await writeReceipt(context, receipt, `${describeReceipt(receipt)}\n`)
}

async function readMessages(text: string | undefined, { role }: AppendFlags): Promise<readonly NewMessage[]> {
  if (text?.trim() === '') throw nothingToAppend()
  if (text !== undefined && text !== '-') return [{ role: role ?? 'user', content: text }]
  if (role !== undefined) throw usageError('--role is for a text; each line of standard input names its own')
  if (text === undefined && process.stdin.isTTY) throw nothingToAppend()
  const [first, ...others] = readConversations(await readInput('-'))
  if (first === undefined) throw new StoreError('invalid', 'standard input has no message')
  if (first.format !== 'message-lines' || others.length > 0) {
    throw new StoreError('invalid', 'standard input is an export, not messages: take "sess import -"')
  }
  return first.messages
}

function nothingToAppend(): Error {
  return usageError('nothing to append: give a text, or JSON lines of messages on standard input')
}

/** A name that stands for a place among the latest is no id to create. */
function newId(name: string): string {
  if (isPlace(name)) throw new UnknownSessionError(name)
  return name
}

function describeReceipt({ firstSeq, lastSeq, messages }: AppendReceipt): string {
  const added = firstSeq === undefined || lastSeq === undefined ? 0 : lastSeq - firstSeq + 1
  const seqs = added === 0 ? '' : added === 1 ? ` (seq ${firstSeq})` : ` (seq ${firstSeq}-${lastSeq})`
  const known = messages.length - added
  const before = known > 0 ? `, ${countOf(known, 'message')} stored before` : ''
  return `appended ${countOf(added, 'message')}${seqs}${before}`
}
