// How people name a thread: by its id, by its name, by a unique beginning of its id. The store knows ids only, so that
// the other two look at every thread.

import { type SessionStore, StoreError, type Thread } from '@sess/core'
import { ambiguous, maxNamed } from './ambiguous.ts'

/**
 * The thread of a name.
 *
 * @throws {StoreError} not-found when there is none; invalid when there are several
 */
export async function resolveThread(
  { threads }: Pick<SessionStore, 'threads'>,
  name: string,
): Promise<Thread> {
  const thread = await threads.get(name)
  if (thread !== undefined) return thread
  const sameName: Thread[] = []
  const sameBeginning: Thread[] = []
  for await (const one of allThreads({ threads })) {
    if (one.name === name && sameName.length <= maxNamed) sameName.push(one)
    if (one.id.startsWith(name) && sameBeginning.length <= maxNamed) sameBeginning.push(one)
  }
  const byName = onlyThread(name, sameName, 'is the name of')
  const found = byName ?? (name === '' ? undefined : onlyThread(name, sameBeginning, 'begins the ids of'))
  if (found === undefined) throw new StoreError('not-found', `there is no thread "${name}"`)
  return found
}

function onlyThread(name: string, found: readonly Thread[], relation: string): Thread | undefined {
  if (found.length > 1) throw ambiguous(name, `${relation} several threads`, found)
  return found[0]
}

async function* allThreads({
  threads,
}: Pick<SessionStore, 'threads'>): AsyncGenerator<Thread, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await threads.list({ limit: 1000, cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
