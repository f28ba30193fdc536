// The lines above the sessions of a thread.

import type { Thread } from '@sess/core'
import type { Context } from '../runtime.ts'
import { joinFacts } from './facts.ts'
import { countOf } from './session.ts'
import { visibleLine } from './text.ts'
import { formatTime, relativeTime } from './time.ts'

/** The lines that say what a thread is, without a line end at the end. */
export function formatThread(thread: Thread, { output, settings, now }: Context): string {
  const { colors } = output
  const { locale, timeZone } = settings
  const facts = [
    [
      visibleLine(thread.id),
      countOf(thread.sessionCount, 'session'),
      thread.ownerId === '' ? '' : `of ${visibleLine(thread.ownerId)}`,
    ],
    [
      `created ${formatTime(thread.createdAt, timeZone).slice(0, -3)}`,
      `updated ${relativeTime(thread.updatedAt, { now, locale, timeZone })}`,
    ],
  ]
  const width = output.isTerminal ? output.columns : Number.POSITIVE_INFINITY
  const lines = facts.flatMap((line) => joinFacts(line, width))
  return [colors.bold(visibleLine(thread.name)), ...lines.map((line) => colors.dim(visibleLine(line)))].join(
    '\n',
  )
}
