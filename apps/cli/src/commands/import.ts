// sess import: conversations from files into the store. All files are read and checked before the first is stored.

import { type ImportReceipt, importConversations, StoreError } from '@sess/core'
import { type HistoryFormat, type ImportedHistory, readHistory } from '@sess/interop'
import { inputName, readInput } from '../files.ts'
import { toJsonText } from '../output/json.ts'
import { countOf } from '../output/session.ts'
import { visibleLine } from '../output/text.ts'
import { reworded } from '../reworded.ts'
import type { Context } from '../runtime.ts'

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
  for (const path of paths) found.push(...(await readPath(path, from)))
  const outcomes = dryRun ? found.map(describeFound) : await storeAll(context, found)
  const { output, settings } = context
  if (settings.json) return void (await output.write(`${toJsonText({ items: outcomes })}\n`))
  if (!settings.quiet) await output.write(await formatOutcomes(outcomes, context))
  const messages = outcomes.reduce((total, outcome) => total + outcome.messages, 0)
  const done = dryRun ? 'found, nothing stored' : 'added'
  output.note(`${countOf(outcomes.length, 'conversation')}, ${countOf(messages, 'message')} ${done}`)
}

async function readPath(path: string, from: ImportFlags['from']): Promise<Found[]> {
  const text = await readInput(path)
  try {
    if (text.trim() === '') throw new StoreError('invalid', 'is empty')
    const histories = readHistory(text)
    const other = histories.find(({ format }) => !formats[from].includes(format))
    if (other !== undefined)
      throw new StoreError('invalid', `is ${other.format}, not what --from ${from} takes`)
    return histories.map((history) => ({ path, history }))
  } catch (error) {
    throw inFile(error, path)
  }
}

/** One transaction a conversation. After a failure the same command goes on where it stopped. */
async function storeAll(context: Context, found: readonly Found[]): Promise<Outcome[]> {
  const store = await context.store()
  const byHistory = new Map(found.map((one) => [one.history, one]))
  const outcomes = new Map<Found, Outcome>()
  for await (const stored of importConversations(store, byHistory.keys())) {
    const one = byHistory.get(stored.conversation) as Found
    if ('error' in stored) {
      const before =
        outcomes.size === 0 ? '' : ` (${outcomes.size} of ${found.length} conversations are stored)`
      throw inFile(stored.error, one.path, before)
    }
    const { session, outcome, added } = stored.receipt
    outcomes.set(one, {
      ...describeFound(one),
      outcome,
      id: session.id,
      name: session.name,
      messages: added,
    })
  }
  return found.flatMap((one) => outcomes.get(one) ?? [])
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
  const rows = outcomes.map(({ outcome, id = '', sourceId = '', messages, name, path }) =>
    [outcome, id, sourceId, String(messages), name, path].map(visibleLine),
  )
  if (!output.isTerminal) return rows.map((row) => `${row.join('\t')}\n`).join('')
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
