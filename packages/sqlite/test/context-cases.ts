// Compaction as data: operations on one session in order (seqs from 1; `u:` is a user's text, `a:` the assistant's), then
// its context and what a text restore with the default policy (3 turns) gives.

import type { Role, StoreErrorCode } from '@sess/core'

export type ContextStep =
  | readonly ['append' | 'replace', ...texts: string[]]
  | readonly ['compact', throughSeq: number, text: string]
  | readonly ['compactAs', role: Role, throughSeq: number, text: string]
  | readonly ['compactFails', throughSeq: number, text: string, code: StoreErrorCode]
  | readonly ['truncate' | 'removeSeq', seq: number]
  | readonly ['resetContext']

export interface ContextCase {
  readonly name: string
  readonly steps: readonly ContextStep[]
  readonly start: number
  readonly summary?: number
  readonly restored: readonly (readonly [role: Role, text: string])[]
}

const twoTurns = ['append', 'u:q1', 'a:a1', 'u:q2', 'a:a2'] as const
const oneTurn = ['append', 'u:q1', 'a:a1'] as const
const twiceCompacted: readonly ContextStep[] = [
  twoTurns,
  ['compact', 2, 'S1'],
  ['append', 'u:q3', 'a:a3'],
  ['compact', 4, 'S2'],
]

export const contextCases: readonly ContextCase[] = [
  {
    name: 'one compaction',
    steps: [twoTurns, ['compact', 2, 'S1']],
    start: 3,
    summary: 5,
    restored: [
      ['user', 'S1\n\nq2'],
      ['assistant', 'a2'],
    ],
  },
  {
    name: 'twice compacted',
    steps: [...twiceCompacted],
    start: 5,
    summary: 8,
    restored: [
      ['user', 'S2\n\nq3'],
      ['assistant', 'a3'],
    ],
  },
  {
    name: 'twice compacted, the second summary removed: the first is current again',
    steps: [...twiceCompacted, ['removeSeq', 8]],
    start: 3,
    summary: 5,
    restored: [
      ['user', 'S1\n\nq2'],
      ['assistant', 'a2'],
      ['user', 'q3'],
      ['assistant', 'a3'],
    ],
  },
  {
    name: 'the summary truncated away: everything is back',
    steps: [twoTurns, ['compact', 2, 'S1'], ['truncate', 4]],
    start: 1,
    restored: [
      ['user', 'q1'],
      ['assistant', 'a1'],
      ['user', 'q2'],
    ],
  },
  {
    name: 'compacted in mid-turn: the rest of that turn is kept',
    steps: [oneTurn, ['compact', 1, 'S1'], ['append', 'u:q2', 'a:a2']],
    start: 2,
    summary: 3,
    restored: [
      ['user', 'S1'],
      ['assistant', 'a1'],
      ['user', 'q2'],
      ['assistant', 'a2'],
    ],
  },
  {
    name: 'a summary stored as assistant still comes as user text',
    steps: [twoTurns, ['compactAs', 'assistant', 2, 'S1']],
    start: 3,
    summary: 5,
    restored: [
      ['user', 'S1\n\nq2'],
      ['assistant', 'a2'],
    ],
  },
  {
    name: 'reset after a compaction',
    steps: [oneTurn, ['compact', 2, 'S1'], ['resetContext'], ['append', 'u:q2', 'a:a2']],
    start: 4,
    restored: [
      ['user', 'q2'],
      ['assistant', 'a2'],
    ],
  },
  {
    name: 'replace starts afresh',
    steps: [oneTurn, ['compact', 2, 'S1'], ['replace', 'u:n1', 'a:n2']],
    start: 4,
    restored: [
      ['user', 'n1'],
      ['assistant', 'n2'],
    ],
  },
  {
    name: 'compact beyond the end is invalid',
    steps: [oneTurn, ['compactFails', 9, 'S1', 'invalid']],
    start: 1,
    restored: [
      ['user', 'q1'],
      ['assistant', 'a1'],
    ],
  },
  {
    name: 'both summaries truncated away: everything is back',
    steps: [...twiceCompacted, ['truncate', 5]],
    start: 1,
    restored: [
      ['user', 'q1'],
      ['assistant', 'a1'],
      ['user', 'q2'],
      ['assistant', 'a2'],
    ],
  },
  {
    name: 'three compactions, the third removed: the second is current again',
    steps: [
      ['append', 'u:q1', 'a:a1', 'u:q2', 'a:a2', 'u:q3', 'a:a3'],
      ['compact', 2, 'S1'],
      ['compact', 4, 'S2'],
      ['compact', 6, 'S3'],
      ['removeSeq', 9],
    ],
    start: 5,
    summary: 8,
    restored: [
      ['user', 'S2\n\nq3'],
      ['assistant', 'a3'],
    ],
  },
  {
    name: 'truncate never moves a reset back, seqs are not used again',
    steps: [twoTurns, ['resetContext'], ['truncate', 3], ['append', 'u:q3']],
    start: 5,
    restored: [['user', 'q3']],
  },
  {
    name: 'bounds of throughSeq: below the start and next_seq itself are invalid, next_seq - 1 is not',
    steps: [
      twoTurns,
      ['compact', 2, 'S1'],
      ['compactFails', 2, 'S2', 'invalid'],
      ['compactFails', 6, 'S2', 'invalid'],
      ['compact', 5, 'S2'],
    ],
    start: 6,
    summary: 6,
    restored: [['user', 'S2']],
  },
  {
    name: 'the window does not reach the summary: it still comes first, is no turn, the rest of its own turn stays out',
    steps: [
      oneTurn,
      ['compact', 1, 'S1'],
      ['append', 'u:q2', 'a:a2', 'u:q3', 'a:a3', 'u:q4', 'a:a4', 'u:q5', 'a:a5'],
    ],
    start: 2,
    summary: 3,
    restored: [
      ['user', 'S1\n\nq3'],
      ['assistant', 'a3'],
      ['user', 'q4'],
      ['assistant', 'a4'],
      ['user', 'q5'],
      ['assistant', 'a5'],
    ],
  },
]
