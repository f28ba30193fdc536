// What an agent must be given, from the rules alone: a list of rows, when the conversation was last reset, and which
// summary was built on which. No pointers are kept that a store keeps.

export interface ModelRow {
  readonly seq: number
  readonly kind: 'user' | 'assistant' | 'hidden' | 'summary'
  /** Of a summary: it stands for everything since the last reset through this seq. */
  readonly through?: number
  /** Of a summary: the one that was current when it was made. */
  readonly builtOn?: number
}

export interface ModelSession {
  readonly rows: readonly ModelRow[]
  readonly nextSeq: number
  /** What lies before is no longer the agent's. */
  readonly resetAt: number
  /** The latest summary since the reset, whether it is still there or not; `ancestry` keeps all that were ever made. */
  readonly latest: number | undefined
  readonly ancestry: ReadonlyMap<number, ModelRow>
}

export const emptySession: ModelSession = {
  rows: [],
  nextSeq: 1,
  resetAt: 1,
  latest: undefined,
  ancestry: new Map(),
}

/** The newest summary that is still there, going back from the latest to what each was built on. */
export function currentSummary({ rows, latest, ancestry }: ModelSession): ModelRow | undefined {
  let seq = latest
  while (seq !== undefined) {
    const found = rows.find((row) => row.seq === seq)
    if (found) return found
    seq = ancestry.get(seq)?.builtOn
  }
  return undefined
}

/** The rows an agent must be given beside the current summary: visible, since the reset, and not stood for. */
export function contextRows(session: ModelSession): ModelRow[] {
  const through = currentSummary(session)?.through ?? 0
  return session.rows.filter(
    ({ kind, seq }) => kind !== 'summary' && kind !== 'hidden' && seq >= session.resetAt && seq > through,
  )
}

/** Where the context begins. */
export function startOf(session: ModelSession): number {
  const current = currentSummary(session)
  return current === undefined ? session.resetAt : (current.through ?? 0) + 1
}

/** A history that changed: what was lost for good is forgotten, so that a summary found again later is not current. */
function settled(session: ModelSession): ModelSession {
  return { ...session, latest: currentSummary(session)?.seq }
}

export function append(session: ModelSession, kinds: readonly ModelRow['kind'][]): ModelSession {
  const rows = kinds.map((kind, index): ModelRow => ({ seq: session.nextSeq + index, kind }))
  return { ...session, rows: [...session.rows, ...rows], nextSeq: session.nextSeq + rows.length }
}

export function canCompact(session: ModelSession, through: number): boolean {
  return through >= startOf(session) && through < session.nextSeq
}

export function compact(session: ModelSession, through: number): ModelSession {
  const builtOn = currentSummary(session)?.seq
  const row: ModelRow = {
    seq: session.nextSeq,
    kind: 'summary',
    through,
    ...(builtOn === undefined ? {} : { builtOn }),
  }
  return {
    ...session,
    rows: [...session.rows, row],
    nextSeq: row.seq + 1,
    latest: row.seq,
    ancestry: new Map([...session.ancestry, [row.seq, row]]),
  }
}

export function keep(session: ModelSession, stays: (seq: number) => boolean): ModelSession {
  return settled({ ...session, rows: session.rows.filter(({ seq }) => stays(seq)) })
}

export function reset(session: ModelSession): ModelSession {
  return { ...session, resetAt: session.nextSeq, latest: undefined }
}

export function clear(session: ModelSession): ModelSession {
  return session.rows.length === 0 ? session : { ...reset(session), rows: [] }
}

export function replace(session: ModelSession, kinds: readonly ModelRow['kind'][]): ModelSession {
  return append({ ...reset(session), rows: [] }, kinds)
}

export function fork(session: ModelSession, atSeq: number): ModelSession {
  const at = Math.min(atSeq, session.nextSeq - 1)
  const copy = keep(session, (seq) => seq <= at)
  return { ...copy, nextSeq: at + 1, resetAt: Math.min(session.resetAt, at + 1) }
}

/** What stays, and the branch that has the rest; no branch when nothing moves. */
export function rewind(session: ModelSession, to: number): readonly [ModelSession, ModelSession?] {
  if (!session.rows.some(({ seq }) => seq > to)) return [session]
  return [keep(session, (seq) => seq <= to), keep(session, (seq) => seq > to)]
}
