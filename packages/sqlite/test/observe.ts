// What a store can be seen to do: the outcome of a call, and everything that reading shows.

import type { SessionStore } from '@sess/core'
import type { Step } from './histories.ts'

/** What a call came to: its value, or the code and text of its error. */
export async function outcomeOf(store: SessionStore, { name, arguments: given }: Step): Promise<unknown> {
  const [part = '', method = ''] = name.split('.')
  const methods = store[part as 'sessions'] as unknown as Record<
    string,
    (...values: unknown[]) => Promise<unknown>
  >
  try {
    return { value: await methods[method]?.(...given) }
  } catch (error) {
    const {
      code,
      message: text,
      operation: where,
    } = error as { code: string; message: string; operation: string }
    return { code, text, where }
  }
}

/** Everything that can be seen of a store, page by page. */
export async function everything(store: SessionStore): Promise<unknown> {
  const sessions = await allOf((cursor) =>
    store.sessions.list({
      types: 'all',
      archived: 'any',
      deleted: 'any',
      sort: 'created',
      limit: 2,
      ...cursor,
    }),
  )
  const threads = await allOf((cursor) => store.threads.list({ limit: 1, ...cursor }))
  return {
    sessions,
    messages: await Promise.all(
      sessions.map(({ id }) => allOf((cursor) => store.messages.read(id, { limit: 3, ...cursor }))),
    ),
    windows: await Promise.all(
      sessions.flatMap(({ id }) =>
        (['text', 'full'] as const).map((mode) => store.messages.recentTurns(id, { turns: 2, mode })),
      ),
    ),
    threads,
    members: await Promise.all(
      threads.map(({ id }) => allOf((cursor) => store.threads.sessions(id, { limit: 1, ...cursor }))),
    ),
    timelines: await Promise.all(
      threads.map(({ id }) => allOf((cursor) => store.threads.timeline(id, { limit: 2, ...cursor }))),
    ),
    changes: await changesOf(store),
  }
}

async function allOf<T>(
  page: (cursor: {
    cursor?: string
  }) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string }>,
): Promise<T[]> {
  const items: T[] = []
  let next: { cursor?: string } | undefined = {}
  while (next !== undefined) {
    const found: { readonly items: readonly T[]; readonly nextCursor?: string } = await page(next)
    items.push(...found.items)
    next = found.nextCursor === undefined ? undefined : { cursor: found.nextCursor }
  }
  return items
}

async function changesOf(store: SessionStore): Promise<unknown[]> {
  const changes: unknown[] = []
  let token: string | undefined
  for (;;) {
    const page = await store.changes.since(token, 2)
    if (page.changes.length === 0) return changes
    changes.push(...page.changes)
    token = page.token
  }
}
