// The lines above a conversation: what session it is, how old, where it comes from.

import { homedir } from 'node:os'
import type { Session } from '@sess/core'
import type { Context } from '../runtime.ts'
import { joinFacts } from './facts.ts'
import { countOf, displayFolder, displayName } from './session.ts'
import { visibleLine } from './text.ts'
import { formatTime, relativeTime } from './time.ts'

/** The lines that say what a session is, without a line end at the end. */
export function formatSession(session: Session, { output, settings, now }: Context): string {
  const { colors } = output
  const { locale, timeZone } = settings
  const { modelConfig, tokenCounts, source, forkedFrom } = session
  const tokens = tokenCounts.accumulated.total
  const facts = [
    [
      visibleLine(session.id),
      session.type,
      countOf(session.messageCount, 'message'),
      displayFolder(session.workingDir, homedir()),
    ],
    [
      `created ${formatTime(session.createdAt, timeZone).slice(0, -3)}`,
      `last active ${relativeTime(session.lastActiveAt, { now, locale, timeZone })}`,
      named('', session.providerName),
      named('', modelConfig?.model ?? modelConfig?.model_name),
      tokens === undefined ? '' : countOf(tokens, 'token'),
    ],
    [
      ...session.tags.map((tag) => `#${visibleLine(tag)}`),
      session.pinned ? 'pinned' : '',
      session.archivedAt === undefined ? '' : 'archived',
      session.deletedAt === undefined ? '' : 'in the trash',
      named('from ', source && `${source.agent} ${source.sessionId}`),
      named('fork of ', forkedFrom && `${forkedFrom.sessionId} through #${forkedFrom.seq}`),
      named('branch of ', session.branchOf),
      named('child of ', session.parentSessionId),
    ],
  ]
  const width = output.isTerminal ? output.columns : Number.POSITIVE_INFINITY
  const lines = facts.flatMap((line) => joinFacts(line, width))
  return [colors.bold(displayName(session)), ...lines.map((line) => colors.dim(visibleLine(line)))].join('\n')
}

function named(what: string, value: unknown): string {
  return typeof value === 'string' ? what + visibleLine(value) : ''
}
