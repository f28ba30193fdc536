// sess demo: a walk through a store that is gone afterwards. It shows what the commands print, cut to fit two screens.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@sess/connect'
import {
  exportLines,
  type Message,
  type RestoredConversation,
  restoreConversation,
  type Session,
  type SessionStore,
} from '@sess/core'
import { escapeJson, toJsonText } from '../output/json.ts'
import { formatMessage } from '../output/message.ts'
import { formatRole } from '../output/role.ts'
import { countOf, displayName } from '../output/session.ts'
import { formatSession } from '../output/session-head.ts'
import { formatTable } from '../output/session-table.ts'
import { layoutTable } from '../output/table.ts'
import { foldedLine } from '../output/text.ts'
import { truncate } from '../output/width.ts'
import { messagePages } from '../pages.ts'
import type { Context } from '../runtime.ts'
import { readSamples } from '../samples.ts'

/** One conversation, as it is stored and as an agent gets it back. */
interface Sample {
  readonly session: Session
  readonly messages: readonly Message[]
  readonly restored: RestoredConversation
  readonly stored: Size
  readonly given: Size
}

interface Size {
  /** Of role and content as JSON. */
  readonly bytes: number
  /** Estimated: four bytes each. */
  readonly tokens: number
}

/** What is shown of the conversation that is read: a question, an answer with its tool calls; two lines of each text. */
const shownMessages = 3
const shownLines = 2
const margin = '  '

export async function demo(context: Context): Promise<undefined> {
  const store = await openTemporary(context)
  const samples: Sample[] = []
  for (const { session, messages } of await readSamples()) {
    const { session: stored } = await store.sessions.import(session, messages)
    samples.push(await readSample(store, stored, context))
  }
  const { output, settings } = context
  if (settings.json) return void (await output.write(`${toJsonText({ items: samples.map(toSizes) })}\n`))
  // Short enough to read on, long enough to have a context that is smaller.
  const sample =
    samples.toSorted((a, b) => a.messages.length - b.messages.length)[1] ?? (samples[0] as Sample)
  await output.write(introduction(samples, context))
  await output.write(section(context, 1, 'What is there', 'sess list', await listing(store, context)))
  const id = sample.session.id
  const show = `sess show ${id} --limit ${shownMessages}`
  await output.write(section(context, 2, 'A conversation, as people read it', show, reading(sample, context)))
  const title = 'What the agent gets back after a restart'
  const given = `${contextOf(sample, context)}\n${sizes(samples, context)}`
  await output.write(section(context, 3, title, `sess context ${id}`, given))
  const lines = await exported(sample, context)
  await output.write(section(context, 4, 'Out, and in elsewhere', `sess export ${id} --format jsonl`, lines))
  await output.write(section(context, 5, 'Now you', '', nextSteps(context)))
}

async function openTemporary({ defer, settings: { locale, timeZone } }: Context): Promise<SessionStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sess-demo-'))
  defer(() => rm(folder, { recursive: true, force: true }))
  const store = await openStore(join(folder, 'sess.db'), { locale, timeZone })
  // What is deferred last is done first: a store is closed before its file goes.
  defer(() => store.close())
  return store
}

async function readSample(store: SessionStore, session: Session, { settings }: Context): Promise<Sample> {
  const messages: Message[] = []
  for await (const page of messagePages(store, session.id)) messages.push(...page.items)
  const restored = await restoreConversation(store, session.id, { locale: settings.locale })
  return { session, messages, restored, stored: sizeOf(messages), given: sizeOf(restored.messages) }
}

function sizeOf(messages: readonly Pick<Message, 'role' | 'content'>[]): Size {
  const bytes = Buffer.byteLength(JSON.stringify(messages.map(({ role, content }) => ({ role, content }))))
  return { bytes, tokens: Math.ceil(bytes / 4) }
}

function toSizes({ session, messages, restored, stored, given }: Sample): object {
  return {
    id: session.id,
    name: session.name,
    stored: { messages: messages.length, ...stored },
    restored: { messages: restored.messages.length, turns: restored.turns, ...given },
    factor: factorOf(stored, given),
  }
}

function factorOf(stored: Size, given: Size): number {
  const factor = stored.bytes / given.bytes
  return factor < 10 ? Math.round(10 * factor) / 10 : Math.round(factor)
}

function introduction(samples: readonly Sample[], { output: { colors } }: Context): string {
  const what = `${countOf(samples.length, 'sample')}, in a temporary store that goes away at the end.`
  return `${colors.bold('sess')}: the conversations of AI agents, kept and given back.\n${colors.dim(what)}\n`
}

function section({ output }: Context, number: number, title: string, command: string, body: string): string {
  const { colors, columns } = output
  const head = `${number}. ${title}`
  const shown = command === '' ? '' : `$ ${command}`
  const fits = head.length + shown.length + 4 <= columns
  const space = fits ? ' '.repeat(columns - head.length - shown.length) : `\n${margin}`
  const line = shown === '' ? '' : `${space}${colors.cyan(shown)}`
  return `\n${colors.bold(colors.inverse(` ${number} `))} ${colors.bold(title)}${line.slice(fits ? 1 : 0)}\n\n${indent(body)}`
}

async function listing(store: SessionStore, context: Context): Promise<string> {
  return formatTable(await store.sessions.list(), narrow(context))
}

function reading({ session, messages }: Sample, context: Context): string {
  const narrowed = narrow(context)
  const { output, settings } = narrowed
  const { colors, columns } = output
  const style = { colors, columns, timeZone: settings.timeZone, tools: 'brief', thinking: false } as const
  const shown = messages
    .slice(0, shownMessages)
    .map((message) => formatMessage(clip(message, columns), style))
  const head = formatSession(session, narrowed)
  return `${head}\n${shown.join('')}`
}

/** The message with the first lines of its texts. */
function clip(message: Message, columns: number): Message {
  const content = message.content.map((block) =>
    block.type === 'text' ? { ...block, text: firstLines(block.text, columns) } : block,
  )
  return { ...message, content }
}

function firstLines(text: string, columns: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const kept = lines.slice(0, shownLines).map((line) => truncate(foldedLine(line), columns - 2))
  return lines.length > shownLines ? `${kept.join('\n')} …` : kept.join('\n')
}

function contextOf({ restored }: Sample, context: Context): string {
  const { colors, columns } = narrow(context).output
  const width = 'assistant'.length
  const lines = restored.messages.map(({ role, content }) => {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
    const line = truncate(foldedLine(text.replaceAll('```', '')), columns - width - 2)
    return `${formatRole(role, colors, width)}  ${line}`
  })
  const what = `What was said in the last ${countOf(restored.turns, 'turn')}; the tool calls stay in the store.`
  return `${[...lines, '', colors.dim(truncate(what, columns))].join('\n')}\n`
}

function sizes(samples: readonly Sample[], context: Context): string {
  const { colors, columns: width } = narrow(context).output
  const number = (value: number) => value.toLocaleString('en-US')
  const ordered = samples.toSorted((a, b) => factorOf(b.stored, b.given) - factorOf(a.stored, a.given))
  const rows = ordered.map(({ session, messages, restored, stored, given }) => [
    displayName(session),
    number(messages.length),
    number(stored.bytes),
    number(stored.tokens),
    number(restored.messages.length),
    number(given.bytes),
    number(given.tokens),
    `${factorOf(stored, given)}x`,
  ])
  const right = { align: 'right' } as const
  const columns = [
    { title: 'CONVERSATION', min: 12 },
    { title: 'STORED', drop: 1, ...right },
    { title: 'BYTES', drop: 2, ...right },
    { title: '~TOKENS', ...right },
    { title: 'RESTORED', drop: 1, ...right },
    { title: 'BYTES', drop: 2, ...right },
    { title: '~TOKENS', ...right },
    { title: 'SMALLER', ...right, style: (text: string) => colors.bold(colors.green(text)) },
  ]
  return `${layoutTable(columns, rows, width, colors.dim).join('\n')}\n`
}

async function exported({ session, messages }: Sample, context: Context): Promise<string> {
  const { colors, columns } = narrow(context).output
  const lines: string[] = []
  for await (const line of exportLines(session, messages, context.now)) lines.push(escapeJson(line.trimEnd()))
  const shown = lines.slice(0, 3).map((line) => truncate(line, columns))
  const rest = `… ${countOf(lines.length - shown.length, 'line')} more; "sess import" reads them into any other store`
  return `${shown.join('\n')}\n${colors.dim(truncate(rest, columns))}\n`
}

function nextSteps(context: Context): string {
  const { colors, columns } = narrow(context).output
  const steps = [
    ['sess import chat.json', 'your own files: of sess, of Goose, lines of messages'],
    ['sess new --name "First"', 'or begin one'],
    ['sess append @last "Hello"', '@last is the latest conversation'],
    ['sess --help', 'everything else'],
  ] as const
  const width = Math.max(...steps.map(([command]) => command.length))
  return steps
    .map(([command, what]) => {
      const rest = truncate(what, columns - width - 4)
      return `${colors.cyan(`$ ${command.padEnd(width)}`)}  ${colors.dim(rest)}\n`
    })
    .join('')
}

/** The context with the margin taken off. */
function narrow(context: Context): Context {
  return { ...context, output: { ...context.output, columns: context.output.columns - margin.length } }
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, margin)
}
