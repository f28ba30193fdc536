// sess thread create, list, show, rename, delete: groups of sessions.

import type { Thread } from '@sess/core'
import { resolveSession } from '../find-session.ts'
import { resolveThread } from '../find-thread.ts'
import { toJsonText } from '../output/json.ts'
import { noteNextPage } from '../output/next-page.ts'
import { writeReceipt } from '../output/receipt.ts'
import { countOf } from '../output/session.ts'
import { writeSessions } from '../output/session-page.ts'
import { visibleLine } from '../output/text.ts'
import { writeThreads } from '../output/thread-page.ts'
import type { Context } from '../runtime.ts'

export interface CreateThreadFlags {
  readonly id?: string
  readonly owner?: string
}

export interface PageFlags {
  readonly limit?: number
  readonly cursor?: string
}

export interface ListThreadsFlags extends PageFlags {
  readonly owner?: string
  readonly session?: string
}

export async function createThread(
  { store: open, output, settings }: Context,
  name: string,
  { id, owner }: CreateThreadFlags,
): Promise<undefined> {
  const store = await open()
  const thread = await store.threads.create({ id, ownerId: owner, name })
  await output.write(`${settings.json ? toJsonText(thread) : visibleLine(thread.id)}\n`)
}

export async function listThreads(context: Context, flags: ListThreadsFlags): Promise<undefined> {
  const { output, settings } = context
  const store = await context.existingStore()
  const session = flags.session === undefined ? undefined : await resolveSession(store, flags.session)
  const { limit, cursor, owner: ownerId } = flags
  const page = await store.threads.list({ ownerId, sessionId: session?.id, limit, cursor })
  if (settings.json) return void (await output.write(`${toJsonText(page)}\n`))
  await writeThreads(context, page.items)
  noteNextPage(context, page.nextCursor)
}

export async function showThread(context: Context, name: string, flags: PageFlags): Promise<undefined> {
  const { output, settings } = context
  const store = await context.existingStore()
  const thread = await resolveThread(store, name)
  const { items, nextCursor } = await store.threads.sessions(thread.id, flags)
  if (settings.json) {
    return void (await output.write(`${toJsonText({ thread, sessions: items, nextCursor })}\n`))
  }
  const { formatThread } = await import('../output/thread-head.ts')
  await output.write(`${formatThread(thread, context)}\n${items.length > 0 ? '\n' : ''}`)
  await writeSessions(context, items)
  noteNextPage(context, nextCursor)
}

export async function renameThread(context: Context, name: string, newName: string): Promise<undefined> {
  const store = await context.existingStore()
  const { id } = await resolveThread(store, name)
  const thread = await store.threads.update(id, { name: newName })
  await writeReceipt(context, thread, threadLine('renamed', thread))
}

export async function deleteThread(context: Context, name: string): Promise<undefined> {
  const store = await context.existingStore()
  const thread = await resolveThread(store, name)
  await store.threads.remove(thread.id)
  const kept = thread.sessionCount === 0 ? '' : `, not its ${countOf(thread.sessionCount, 'session')}`
  await writeReceipt(context, { id: thread.id, outcome: 'deleted' }, threadLine('deleted', thread, kept))
}

function threadLine(done: string, { id, name }: Thread, after = ''): string {
  return `${done} ${visibleLine(id)}: ${visibleLine(name)}${after}\n`
}
