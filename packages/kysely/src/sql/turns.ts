// The SQL of `recentTurns`, one statement: the index (session_id, turn_part, seq) names the rows, so the cost depends on
// what is returned and, in text mode, no tool payload is read. Column "kind" says what a row is.

import type { WindowRow } from '@sess/core/adapter'
import type { Statement } from '../engine.ts'
import { isJson, messageSelect } from './columns.ts'

export interface TurnsRequest {
  readonly sessionId: string
  readonly turns: number
  readonly beforeSeq: number | undefined
  readonly scope: 'context' | 'all'
  readonly mode: 'text' | 'full'
}

/** One row of the answer. */
export type TurnsRow =
  | (WindowRow & {
      readonly kind: 'message'
      readonly turnPart: number | null
      readonly unanswered: number | null
    })
  | (WindowRow & { readonly kind: 'summary' })
  /** There is one, if there is a session. */
  | { readonly kind: 'window'; readonly reached: number; readonly dropped: number }

/** Above every seq. */
const endless = Number.MAX_SAFE_INTEGER

/** Agent-visible and no summary. A broken metadata column counts as visible. */
const counts =
  'm.turn_part IS NOT 5 AND (CASE WHEN ' +
  isJson('m.metadata_json') +
  " THEN coalesce(json_extract(m.metadata_json, '$.agentVisible'), 1) ELSE 1 END) <> 0"

/**
 * c: the context's start a, its summary z and the end e. t: the turns, each with the seq where it ends. r: the first
 * turn's seq (the end, if there is none) and whether no turn begins before it.
 */
function common(scope: TurnsRequest['scope']): string {
  const context =
    scope === 'context' ? 'context_start_seq AS a, context_summary_seq AS z' : '1 AS a, NULL AS z'
  return `WITH
c AS MATERIALIZED (SELECT ${context}, ? AS e FROM sessions WHERE id = ?),
t AS MATERIALIZED (
  SELECT seq, lag(seq, 1, ?) OVER (ORDER BY seq DESC) AS nxt FROM messages
  WHERE session_id = ? AND turn_part = 1 AND seq >= (SELECT a FROM c) AND seq < ? ORDER BY seq DESC LIMIT ?
),
r AS MATERIALIZED (
  SELECT coalesce((SELECT min(seq) FROM t), c.e) AS first, NOT EXISTS (
    SELECT 1 FROM messages WHERE session_id = ? AND turn_part = 1
    AND seq >= c.a AND seq < coalesce((SELECT min(seq) FROM t), c.e)
  ) AS reached FROM c
)`
}

const message = `'message' AS "kind", ${messageSelect}, NULL AS "textJson", m.turn_part AS "turnPart"`
const text = message.replace('m.content_json', 'coalesce(m.text_json, m.content_json)')
const asSummary = (columns: string) => columns.replace("'message'", "'summary'")

const lastOf = (part: number) =>
  `(SELECT seq FROM messages WHERE session_id = ? AND turn_part = ${part} AND seq > h.seq AND seq < h.nxt ORDER BY seq DESC LIMIT 1)`
const hasReply =
  'EXISTS (SELECT 1 FROM messages WHERE session_id = ? AND turn_part IN (3, 4) AND seq > t.seq AND seq < t.nxt)'

/** h: the turns and, where they reach the start behind a summary, the rest of the summary's own turn. */
const textRows = `,
h AS MATERIALIZED (
  SELECT seq, nxt FROM t UNION ALL SELECT c.a - 1, r.first FROM c, r WHERE c.z IS NOT NULL AND r.reached
)
SELECT ${text}, NOT ${hasReply} AND EXISTS (
  SELECT 1 FROM messages m WHERE m.session_id = ? AND m.seq > t.seq AND m.seq < t.nxt AND ${counts}
) AS "unanswered", NULL AS "reached", NULL AS "dropped"
FROM t CROSS JOIN messages m ON m.session_id = ? AND m.seq = t.seq
UNION ALL SELECT ${text}, NULL, NULL, NULL
FROM h CROSS JOIN messages m ON m.session_id = ? AND m.turn_part = 2 AND m.seq > h.seq AND m.seq < h.nxt
UNION ALL SELECT ${text}, NULL, NULL, NULL
FROM h CROSS JOIN messages m ON m.session_id = ? AND m.seq = coalesce(${lastOf(3)}, ${lastOf(4)})
UNION ALL SELECT ${asSummary(text)}, NULL, NULL, NULL FROM c CROSS JOIN messages m ON m.session_id = ? AND m.seq = c.z`

const fullRows = `
SELECT ${message}, NULL AS "unanswered", NULL AS "reached", NULL AS "dropped"
FROM c CROSS JOIN r CROSS JOIN messages m ON m.session_id = ?
  AND m.seq >= (CASE WHEN c.z IS NOT NULL AND r.reached THEN c.a ELSE (SELECT min(seq) FROM t) END)
  AND m.seq < c.e AND m.turn_part IS NOT 5
UNION ALL SELECT ${asSummary(message)}, NULL, NULL, NULL FROM c CROSS JOIN messages m ON m.session_id = ? AND m.seq = c.z`

const windowRow = `
UNION ALL SELECT 'window', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, r.reached,
  CASE WHEN c.z IS NULL AND r.reached THEN (
    SELECT count(*) FROM messages m WHERE m.session_id = ? AND m.seq >= c.a AND m.seq < r.first
    AND m.role <> 'system' AND ${counts}
  ) ELSE 0 END
FROM c CROSS JOIN r`

/** Every statement once: a mode and a scope each. */
const statements = {
  text: { context: common('context') + textRows + windowRow, all: common('all') + textRows + windowRow },
  full: { context: common('context') + fullRows + windowRow, all: common('all') + fullRows + windowRow },
}

/** The rows of a window in no order, see {@link TurnsRow}. `turns` must be 1 or more. */
export function turnsStatement({ sessionId: s, turns, beforeSeq, scope, mode }: TurnsRequest): Statement {
  const end = beforeSeq ?? endless
  const rows = mode === 'text' ? 8 : 2
  return {
    sql: statements[mode][scope],
    parameters: [end, s, end, s, end, turns, s, ...Array.from({ length: rows + 1 }, () => s)],
  }
}
