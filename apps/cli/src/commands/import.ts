// sess import: conversations from files into the store. All files are read and checked before the first is stored.

import { type ImportReceipt, importConversations, type SessionStore, StoreError } from '@sess/core'
import { type HistoryFormat, type ImportedHistory, readHistory } from '@sess/interop'
import { toJsonText } from '../output/json.ts'
import { countOf } from '../output/session.ts'
import { tabbedLine } from '../output/text.ts'
import { pause, withPauses } from '../pause.ts'
import { inputName, readInput } from '../read-input.ts'
import { reworded } from '../reworded.ts'
import type { Context } from '../runtime.ts'
import { isStoreFile } from '../store-file.ts'

export interface ImportFlags {
  readonly from: 'auto' | 'sess' | 'goose' | 'messages'
  readonly dryRun?: boolean
}

interface Found {
  readonly path: string
  readonly history: ImportedHistory
}

/** One line of the answer. */
interface Outcome {
  readonly path: string
  readonly format: HistoryFormat
  /** "checked" in a dry run. */
  readonly outcome: ImportReceipt['outcome'] | 'checked'
  /** Absent in a dry run. */
  readonly id?: string
  /** The id it has in the file. */
  readonly sourceId?: string
  readonly name: string
  /** Messages stored; in a dry run, found. */
  readonly messages: number
}

const formats: Readonly<Record<ImportFlags['from'], readonly HistoryFormat[]>> = {
  auto: ['sess-json', 'sess-jsonl', 'message-lines', 'goose-json'],
  sess: ['sess-json', 'sess-jsonl'],
  goose: ['goose-json'],
  messages: ['message-lines'],
}

export async function importHistory(
  context: Context,
  paths: readonly string[],
  { from, dryRun = false }: ImportFlags,
): Promise<undefined> {
  const found: Found[] = []
  for (const path of paths) found.push(...(await readPath(context, path, from)))
  const outcomes = await (dryRun ? checkAll(context, found) : storeAll(context, found))
  const { output, settings } = context
  if (settings.json) return void (await output.write(`${toJsonText({ items: outcomes })}\n`))
  if (!settings.quiet) await output.write(await formatOutcomes(outcomes, context))
  const messages = outcomes.reduce((total, outcome) => total + outcome.messages, 0)
  const done = dryRun ? 'found, nothing stored' : 'added'
  output.note(`${countOf(outcomes.length, 'conversation')}, ${countOf(messages, 'message')} ${done}`)
}

async function readPath(
  { settings, blocking }: Context,
  path: string,
  from: ImportFlags['from'],
): Promise<Found[]> {
  if (path !== '-' && isStoreFile(path, settings.url)) {
    const hint = 'import reads what other programs or "sess export" wrote'
    throw new StoreError('invalid', `${path}: is the store's own file (${hint})`)
  }
  const text = await readInput(path)
  try {
    if (text.trim() === '') throw new StoreError('invalid', 'is empty')
    const histories = await blocking(() => readHistory(text))
    const other = histories.find(({ format }) => !formats[from].includes(format))
    if (other !== undefined)
      throw new StoreError('invalid', `is ${other.format}, not what --from ${from} takes`)
    return histories.map((history) => ({ path, history }))
  } catch (error) {
    throw inFile(error, path)
  }
}

/** What `storeAll` would do, without doing it. */
async function checkAll(context: Context, found: readonly Found[]): Promise<Outcome[]> {
  const { openRehearsal } = await import('../rehearsal.ts')
  const sessions = found.map(({ history }) => history.session)
  await importAll(await openRehearsal(context, sessions), found, () => '')
  return found.map(describeFound)
}

/** One transaction a conversation. After a failure the same command goes on where it stopped. */
async function storeAll(context: Context, found: readonly Found[]): Promise<Outcome[]> {
  const receipts = await importAll(await context.store(), found, (done) =>
    done === 0 ? '' : ` (${done} of ${found.length} conversations are stored)`,
  )
  return found.flatMap((one) => {
    const receipt = receipts.get(one)
    if (receipt === undefined) return []
    const { session, outcome, added } = receipt
    return { ...describeFound(one), outcome, id: session.id, name: session.name, messages: added }
  })
}

/** Imports each; `note` says behind an error how many were before it. */
async function importAll(
  { sessions }: SessionStore,
  found: readonly Found[],
  note: (done: number) => string,
): Promise<ReadonlyMap<Found, ImportReceipt>> {
  const unhurried: Pick<SessionStore['sessions'], 'import' | 'list'> = {
    list: (query) => sessions.list(query),
    async import(session, messages, options) {
      await pause()
      return sessions.import(session, withPauses(messages), options)
    },
  }
  const byHistory = new Map(found.map((one) => [one.history, one]))
  const receipts = new Map<Found, ImportReceipt>()
  for await (const stored of importConversations({ sessions: unhurried }, byHistory.keys())) {
    const one = byHistory.get(stored.conversation) as Found
    if ('error' in stored) throw inFile(stored.error, one.path, note(receipts.size))
    receipts.set(one, stored.receipt)
  }
  return receipts
}

function describeFound({ path, history: { session, messages, format } }: Found): Outcome {
  return {
    path: inputName(path),
    format,
    outcome: 'checked',
    ...(session.source ? { sourceId: session.source.sessionId } : {}),
    name: session.name ?? '',
    messages: messages.length,
  }
}

function inFile(error: unknown, path: string, after = ''): unknown {
  return reworded(error, (message) => `${inputName(path)}: ${message}${after}`)
}

async function formatOutcomes(outcomes: readonly Outcome[], { output }: Context): Promise<string> {
  const rows = outcomes.map(({ outcome, id = '', sourceId = '', messages, name, path }) => [
    outcome,
    id,
    sourceId,
    String(messages),
    name,
    path,
  ])
  if (!output.isTerminal) return rows.map(tabbedLine).join('')
  if (rows.length === 0) return ''
  const { layoutTable } = await import('../output/table.ts')
  const { colors, columns: width } = output
  const isChecked = outcomes.every(({ outcome }) => outcome === 'checked')
  const columns = [
    { title: 'OUTCOME', style: colors.green },
    { title: 'ID', min: 12, style: colors.cyan },
    { title: 'WAS', min: 12 },
    { title: isChecked ? 'MSGS' : 'ADDED', align: 'right' },
    { title: 'NAME', min: 16, style: colors.bold },
    { title: 'FILE', min: 12, drop: 1, style: colors.dim },
  ] as const
  return `${layoutTable(columns, rows, width, colors.dim).join('\n')}\n`
}
