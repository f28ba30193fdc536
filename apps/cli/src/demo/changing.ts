// The steps of the demo that change something: a fork, a rewind, a thread, and what others hear of all that.

import type { Message, NewMessage, Session, SessionStore } from '@sess/core'
import { describeRewind } from '../commands/rewind.ts'
import { layoutTable } from '../output/table.ts'
import { visibleLine } from '../output/text.ts'
import { formatTimeline } from '../output/timeline-table.ts'
import { truncate } from '../output/width.ts'
import type { Context } from '../runtime.ts'
import { type Step, saidLines } from './layout.ts'
import type { Sample } from './sample.ts'

/** Copies the conversation to before its last three turns. */
export async function forkStep(
  store: SessionStore,
  sample: Sample,
  { output }: Context,
): Promise<{ readonly step: Step; readonly fork: Session }> {
  const { id } = sample.session
  const at = await beforeTurns(store, sample, 3)
  const fork = await store.sessions.fork(id, { atMessageId: at.id })
  const what = `A session of its own with #1 to #${at.seq}; ${id} stays as it is.`
  const step = {
    title: 'Another way from there',
    command: `$ sess fork ${id} --at ${at.id}`,
    body: `${fork.id}\n${output.colors.dim(truncate(what, output.columns))}\n`,
  }
  return { step, fork }
}

/** Takes the last turn back. */
export async function rewindStep(store: SessionStore, sample: Sample, { output }: Context): Promise<Step> {
  const { id } = sample.session
  const to = await beforeTurns(store, sample, 1)
  const rewound = await store.sessions.rewind(id, { toMessageId: to.id })
  const told = truncate(describeRewind(rewound), output.columns)
  const branch = rewound.branch?.id ?? ''
  const { items } = await store.messages.read(branch)
  return {
    title: 'Back to before the last question, and nothing is lost',
    command: `$ sess rewind ${id} --to ${to.id}`,
    body: `${told}\n${output.colors.cyan(`$ sess show ${branch}`)}\n${saidLines(items, output)}`,
  }
}

/** The last message before the latest turns. */
async function beforeTurns(
  store: SessionStore,
  { session, messages }: Sample,
  turns: number,
): Promise<Message> {
  const window = await store.messages.recentTurns(session.id, { turns, mode: 'text' })
  const first = window.turns[0]?.seq ?? 0
  return messages.findLast(({ seq }) => seq < first) ?? (messages[0] as Message)
}

const threadName = 'CI is red'

/** What was written in a chat around the first question of the conversation. */
function chatAround(time: number): readonly NewMessage[] {
  return [
    { role: 'user', content: 'Main is red. Who looks at it?', createdAt: time - 42_000 },
    { role: 'assistant', content: 'Ana does, on her laptop.', createdAt: time + 2_000 },
  ]
}

/** Puts the conversation and a chat about the same into a thread. */
export async function threadStep(store: SessionStore, { session }: Sample, context: Context): Promise<Step> {
  const chat = await store.sessions.create({ name: 'Team chat', type: 'gateway', channelType: 'telegram' })
  await store.messages.append(chat.id, chatAround(session.createdAt))
  const thread = await store.threads.create({ name: threadName })
  for (const { id } of [chat, session]) await store.threads.attach(thread.id, id)
  const { items } = await store.threads.timeline(thread.id, { limit: 3 })
  const attached = `$ sess thread attach "${threadName}" ${chat.id} ${session.id}`
  return {
    title: 'A chat about the same, as one thread',
    command: `$ sess thread timeline "${threadName}" --limit ${items.length}`,
    body: `${context.output.colors.cyan(attached)}\n${formatTimeline(items, context)}`,
  }
}

/** Deletes the fork for good, and reads the changes since a token as another process would. */
export async function changesStep(
  store: SessionStore,
  token: string,
  fork: Session,
  { output }: Context,
): Promise<Step> {
  await store.sessions.remove(fork.id, { purge: true })
  const { changes } = await store.changes.since(token)
  const rows = changes.map(({ changeSeq, sessionId, removed, version, lastSeq }) => [
    String(changeSeq),
    visibleLine(sessionId),
    removed ? `removed, by "sess delete ${sessionId} --purge"` : `version ${version}, lastSeq ${lastSeq}`,
  ])
  const columns = [
    { title: 'CHANGE', align: 'right' },
    { title: 'SESSION', style: output.colors.cyan },
    { title: 'NOW', min: 12 },
  ] as const
  return {
    title: 'What another process sees of all that',
    command: 'store.changes.since(token)',
    body: `${layoutTable(columns, rows, output.columns, output.colors.dim).join('\n')}\n`,
  }
}
