// A sample conversation of the demo: as it is stored, and as an agent gets it back.

import {
  type Message,
  type RestoredConversation,
  restoreConversation,
  type Session,
  type SessionStore,
} from '@sess/core'
import { displayName } from '../output/session.ts'
import { layoutTable } from '../output/table.ts'
import { messagePages } from '../pages.ts'
import type { Context } from '../runtime.ts'

export interface Sample {
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

export async function readSample(
  store: SessionStore,
  session: Session,
  { settings }: Context,
): Promise<Sample> {
  const messages: Message[] = []
  for await (const page of messagePages(store, session.id)) messages.push(...page.items)
  const restored = await restoreConversation(store, session.id, { locale: settings.locale })
  return { session, messages, restored, stored: sizeOf(messages), given: sizeOf(restored.messages) }
}

function sizeOf(messages: readonly Pick<Message, 'role' | 'content'>[]): Size {
  const bytes = Buffer.byteLength(JSON.stringify(messages.map(({ role, content }) => ({ role, content }))))
  return { bytes, tokens: Math.ceil(bytes / 4) }
}

/** What --json prints of it. */
export function toSizes({ session, messages, restored, stored, given }: Sample): object {
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

/** The table of how much smaller the context is, the largest factor first. */
export function formatSizes(samples: readonly Sample[], { output }: Context): string {
  const { colors, columns: width } = output
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
