// sess export: conversations with all that is stored of them. Messages are read and written page by page, so that the
// size of a conversation does not matter.

import {
  type DamagedRow,
  exportLines,
  type Message,
  type Session,
  type SessionStore,
  toExport,
} from '@sess/core'
import { storeExitCodes } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { resolveSession, resolveSessions } from '../find-session.ts'
import { escapeJson, toJsonText } from '../output/json.ts'
import { countOf } from '../output/session.ts'
import { messagePages } from '../pages.ts'
import { pause } from '../pause.ts'
import type { Context } from '../runtime.ts'
import { writeFileWhole } from '../write-file.ts'
import { damagedLine } from './show.ts'

export interface ExportFlags {
  readonly all?: boolean
  /** By the extension of `output` unless given. */
  readonly format?: 'json' | 'jsonl'
  readonly output?: string
}

/** What was written, counted while it is. */
interface Tally {
  sessions: number
  messages: number
  damaged: number
}

type Messages = AsyncIterable<readonly Message[]>

export async function exportSessions(
  context: Context,
  names: readonly string[],
  flags: ExportFlags,
): Promise<number | undefined> {
  const all = flags.all ?? false
  const path = flags.output ?? '-'
  const format = flags.format ?? (/\.jsonl$/i.test(path) ? 'jsonl' : 'json')
  if (all === names.length > 0) throw usageError('name the sessions to export, or take --all')
  const { output, settings, now } = context
  const store = await context.existingStore()
  const sessions = all ? allSessions(store) : await resolveSessions(store, names, resolveSession)
  const tally: Tally = { sessions: 0, messages: 0, damaged: 0 }
  const messagesOf = (session: Session) => countedPages(context, store, session, tally)
  const chunks =
    format === 'jsonl'
      ? writeLines(sessions, messagesOf, now)
      : writeJson(sessions, messagesOf, now, all || (sessions as readonly Session[]).length > 1)
  if (path === '-') for await (const chunk of inBatches(chunks)) await output.write(chunk)
  else {
    await writeFileWhole(path, inBatches(chunks), { url: settings.url, defer: context.defer })
    const { sessions: count, messages, damaged } = tally
    if (settings.json) {
      await output.write(`${toJsonText({ path, format, sessions: count, messages, damaged })}\n`)
    } else
      output.note(`${countOf(count, 'conversation')}, ${countOf(messages, 'message')} written to ${path}`)
  }
  // A copy that lacks something must not pass for a whole one.
  return tally.damaged > 0 ? storeExitCodes.corrupt : undefined
}

/** In the order of their creation. */
async function* allSessions(store: SessionStore): AsyncGenerator<Session, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await store.sessions.list({
      types: 'all',
      archived: 'any',
      sort: 'created',
      order: 'asc',
      limit: 1000,
      cursor,
    })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** What is appended meanwhile is left out: the session's own numbers would not hold for it. */
async function* countedPages(
  { output }: Context,
  store: SessionStore,
  session: Session,
  tally: Tally,
): AsyncGenerator<readonly Message[], void, undefined> {
  tally.sessions++
  for await (const { items, damaged = [] } of messagePages(store, session.id, {
    toSeq: session.nextSeq - 1,
  })) {
    warnOf(damaged, session, output.warn)
    tally.messages += items.length
    tally.damaged += damaged.length
    yield items
  }
}

function warnOf(damaged: readonly DamagedRow[], session: Session, warn: (line: string) => void): void {
  for (const row of damaged) warn(damagedLine(session.id, row))
}

async function* writeLines(
  sessions: Iterable<Session> | AsyncIterable<Session>,
  messagesOf: (session: Session) => Messages,
  now: number,
): AsyncGenerator<string, void, undefined> {
  for await (const session of sessions) {
    for await (const line of exportLines(session, flatten(messagesOf(session)), now)) yield escapeJson(line)
  }
}

async function* flatten(pages: Messages): AsyncGenerator<Message, void, undefined> {
  for await (const page of pages) yield* page
}

async function* writeJson(
  sessions: Iterable<Session> | AsyncIterable<Session>,
  messagesOf: (session: Session) => Messages,
  now: number,
  isArray: boolean,
): AsyncGenerator<string, void, undefined> {
  let separator = isArray ? '[' : ''
  for await (const session of sessions) {
    yield separator
    yield* writeEnvelope(session, messagesOf(session), now)
    separator = ','
  }
  if (isArray) yield separator === '[' ? '[]\n' : ']\n'
  else yield '\n'
}

/** JSON.stringify of the envelope, indented by two, without holding all messages at once. */
async function* writeEnvelope(
  session: Session,
  pages: Messages,
  now: number,
): AsyncGenerator<string, void, undefined> {
  const { messages: _, ...head } = toExport(session, [], now)
  yield `${toJsonText(head, 2).slice(0, -'\n}'.length)},\n  "messages": [`
  let separator = '\n    '
  for await (const page of pages) {
    for (const message of toExport(session, page, now).messages) {
      // No line break of a text stands in JSON as itself.
      yield separator + toJsonText(message, 2).replaceAll('\n', '\n    ')
      separator = ',\n    '
    }
  }
  yield separator.startsWith(',') ? '\n  ]\n}' : ']\n}'
}

/** A write for each message would take longer than reading them. Between two the event loop goes round. */
async function* inBatches(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let batch = ''
  for await (const chunk of chunks) {
    batch += chunk
    if (batch.length < 65_536) continue
    yield batch
    batch = ''
    await pause()
  }
  yield batch
}
