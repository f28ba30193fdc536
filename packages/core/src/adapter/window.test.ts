// The window against a model written from the rules, not from the code: each question is asked of all rows anew.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TurnPart, turnParts } from '../turns/parts.ts'
import type { Role } from '../types/message.ts'
import type { NewMessageRow } from './append.ts'
import { toTurnWindow, type WindowRequest, windowOf } from './window.ts'

interface Kind {
  readonly role: Role
  readonly turnPart: TurnPart | null
  readonly visible: boolean
}

const kinds: { readonly [letter: string]: Kind } = {
  q: { role: 'user', turnPart: turnParts.opener, visible: true },
  s: { role: 'user', turnPart: turnParts.steering, visible: true },
  a: { role: 'assistant', turnPart: turnParts.reply, visible: true },
  i: { role: 'assistant', turnPart: turnParts.interim, visible: true },
  // A tool's result alone, a tool's use alone, a system prompt, a message of role tool.
  r: { role: 'user', turnPart: null, visible: true },
  u: { role: 'assistant', turnPart: null, visible: true },
  y: { role: 'system', turnPart: null, visible: true },
  t: { role: 'tool', turnPart: null, visible: true },
  h: { role: 'user', turnPart: null, visible: false },
  S: { role: 'user', turnPart: turnParts.summary, visible: true },
}

function row(letter: string, seq: number): NewMessageRow {
  const { role, turnPart, visible } = kinds[letter] as Kind
  return {
    messageId: `m${seq}`,
    seq,
    role,
    createdAt: seq,
    metadataJson: visible ? '{}' : '{"agentVisible":false}',
    contentJson: '[]',
    turnPart,
    textJson: null,
  }
}

/** Rows of the letters from seq 1 on; a space leaves a gap. */
const rowsOf = (letters: string) =>
  [...letters].flatMap((letter, index) => (letter === ' ' ? [] : [row(letter, index + 1)]))

const defaults: WindowRequest = {
  turns: 3,
  mode: 'full',
  startSeq: 1,
  beforeSeq: undefined,
  hasSummary: false,
}

const seqs = (letters: string, request: Partial<WindowRequest>) => {
  const window = windowOf(rowsOf(letters), { ...defaults, ...request })
  return { ...window, rows: window.rows.map(({ seq }) => seq), turns: window.turns.map(({ seq }) => seq) }
}

function model(all: readonly NewMessageRow[], request: WindowRequest) {
  const { turns: wanted, mode, startSeq, beforeSeq = Number.POSITIVE_INFINITY, hasSummary } = request
  const rows = all.filter(
    ({ seq, turnPart }) => seq >= startSeq && seq < beforeSeq && turnPart !== turnParts.summary,
  )
  const begins = rows.filter(({ turnPart }) => turnPart === turnParts.opener).map(({ seq }) => seq)
  const given = wanted < 1 ? [] : begins.slice(-wanted)
  const reachedStart = begins.every((seq) => seq >= (given[0] ?? Number.POSITIVE_INFINITY))
  const turnOf = (seq: number) => begins.findLast((begin) => begin <= seq)
  const visible = ({ metadataJson }: NewMessageRow) => metadataJson === '{}'
  const replyOf = (turn: number | undefined) => {
    const said = (part: TurnPart) => rows.filter((row) => turnOf(row.seq) === turn && row.turnPart === part)
    return (said(turnParts.reply).at(-1) ?? said(turnParts.interim).at(-1))?.seq
  }
  const inWindow = ({ seq }: NewMessageRow) => {
    const turn = turnOf(seq)
    if (turn === undefined) return hasSummary && reachedStart && wanted >= 1
    return given.includes(turn)
  }
  const useful = (row: NewMessageRow) =>
    row.turnPart === turnParts.opener ||
    row.turnPart === turnParts.steering ||
    row.seq === replyOf(turnOf(row.seq))
  return {
    rows: rows.filter((row) => inWindow(row) && (mode === 'full' || useful(row))).map(({ seq }) => seq),
    turns: given.map((seq) => ({
      seq,
      interrupted:
        !rows.some((row) => turnOf(row.seq) === seq && row.turnPart === turnParts.reply) &&
        rows.some((row) => turnOf(row.seq) === seq && row.seq !== seq && visible(row)),
    })),
    dropped:
      hasSummary || !reachedStart || wanted < 1
        ? 0
        : rows.filter((row) => turnOf(row.seq) === undefined && row.role !== 'system' && visible(row)).length,
    reachedStart,
  }
}

describe('windowOf', () => {
  test('answers as the rules say, whatever the rows and the request', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Object.keys(kinds), ' ', 'q', 'a'), maxLength: 40 })
    const request: fc.Arbitrary<WindowRequest> = fc.record({
      turns: fc.integer({ min: -1, max: 8 }),
      mode: fc.constantFrom('text', 'full'),
      startSeq: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 45 })),
      beforeSeq: fc.option(fc.integer({ min: -1, max: 45 }), { nil: undefined }),
      hasSummary: fc.boolean(),
    })
    fc.assert(
      fc.property(letters, request, (text, asked) => {
        const window = windowOf(rowsOf(text), asked)
        expect({ ...window, rows: window.rows.map(({ seq }) => seq) }).toEqual(model(rowsOf(text), asked))
      }),
      { numRuns: 3000 },
    )
  })

  test('gives the latest turns from their first message on', () => {
    expect(seqs('qaqaqa', { turns: 2 })).toMatchObject({
      rows: [3, 4, 5, 6],
      turns: [3, 5],
      reachedStart: false,
      dropped: 0,
    })
    expect(seqs('qaqaqa', { turns: 3 })).toMatchObject({ turns: [1, 3, 5], reachedStart: true })
    expect(seqs('qaqaqa', { turns: 9 })).toMatchObject({ turns: [1, 3, 5], reachedStart: true })
  })

  test('gives nothing for less than one turn', () => {
    expect(seqs('qa', { turns: 0 })).toMatchObject({ rows: [], turns: [], dropped: 0, reachedStart: false })
    expect(seqs('ya', { turns: 0 })).toMatchObject({ rows: [], turns: [], dropped: 0, reachedStart: true })
    expect(seqs('Saqa', { turns: -1, hasSummary: true })).toMatchObject({ rows: [], turns: [] })
  })

  test('in text mode gives openers, steering texts and one reply a turn', () => {
    expect(seqs('quririsua', { mode: 'text' })).toMatchObject({ rows: [1, 7, 9] })
    expect(seqs('qaia', { mode: 'text' })).toMatchObject({ rows: [1, 4] })
    expect(seqs('qaiu', { mode: 'text' })).toMatchObject({ rows: [1, 2] })
    expect(seqs('qiuiu', { mode: 'text' })).toMatchObject({ rows: [1, 4] })
  })

  test('leaves out and counts rows before the first turn, but for system and invisible ones', () => {
    expect(seqs('yahrtqa', {})).toMatchObject({ rows: [6, 7], dropped: 3, reachedStart: true })
    expect(seqs('yahrt', {})).toMatchObject({ rows: [], turns: [], dropped: 3, reachedStart: true })
    expect(seqs('aqaqa', { turns: 1 })).toMatchObject({ rows: [4, 5], dropped: 0, reachedStart: false })
  })

  test('beside a summary gives these rows, in text mode the steering texts and the reply', () => {
    const request = { hasSummary: true, startSeq: 2 }
    expect(seqs('qiursaSqa', request)).toMatchObject({ rows: [2, 3, 4, 5, 6, 8, 9], dropped: 0 })
    expect(seqs('qiursaSqa', { ...request, mode: 'text' })).toMatchObject({ rows: [5, 6, 8, 9] })
    expect(seqs('qaSqaqa', { ...request, turns: 1 })).toMatchObject({ rows: [6, 7], reachedStart: false })
    expect(seqs('qiu', { ...request, mode: 'text' })).toMatchObject({ rows: [2], turns: [] })
  })

  test('pages back, and never gives a summary row', () => {
    expect(seqs('qaqaSqa', { turns: 1, beforeSeq: 6 })).toMatchObject({ rows: [3, 4], turns: [3] })
    expect(seqs('qaqaSqa', { turns: 1, beforeSeq: 4 })).toMatchObject({ rows: [3], turns: [3] })
    expect(seqs('qaqaSqa', { turns: 1, beforeSeq: 1 })).toMatchObject({ rows: [], reachedStart: true })
    expect(seqs('qaqaSqa', { turns: 9 })).toMatchObject({ rows: [1, 2, 3, 4, 6, 7] })
  })

  test.each([
    ['qa', false],
    ['q', false],
    ['qi', true],
    ['qia', false],
    ['qai', false],
    ['qu', true],
    ['qur', true],
    ['qs', true],
    ['qt', true],
    ['qh', false],
    ['qS', false],
  ])('the turn %s is interrupted: %s', (letters, interrupted) => {
    expect(windowOf(rowsOf(letters), defaults).turns).toEqual([{ seq: 1, interrupted }])
  })

  test('takes a row whose metadata cannot be read for visible', () => {
    const broken = { ...row('u', 2), metadataJson: '{"agentVis' }
    expect(windowOf([row('q', 1), broken], defaults).turns).toEqual([{ seq: 1, interrupted: true }])
  })
})

describe('toTurnWindow', () => {
  const text = (seq: number, content: string, textJson: string | null = null) => ({
    ...row('q', seq),
    contentJson: content,
    textJson,
  })
  const window = { turns: [{ seq: 1, interrupted: true }], dropped: 2, reachedStart: true }
  const hi = '[{"type":"text","text":"hi"}]'

  test('answers messages, counters, and nothing that is absent', () => {
    expect(
      toTurnWindow('s1', undefined, 'full', { ...window, rows: [text(1, hi)], summary: undefined }),
    ).toEqual({
      messages: [
        {
          id: 'm1',
          sessionId: 's1',
          seq: 1,
          role: 'user',
          content: [{ type: 'text', text: 'hi' }],
          createdAt: 1,
          metadata: {},
        },
      ],
      turns: [{ seq: 1, interrupted: true }],
      dropped: 2,
      interrupted: 1,
      reachedStart: true,
    })
  })

  test('in text mode the content is the text form, where there is one', () => {
    const rows = [text(1, '[{"type":"image"},{"type":"text","text":"hi"}]', hi), text(2, hi)]
    const contents = (mode: 'text' | 'full') =>
      toTurnWindow('s1', undefined, mode, { ...window, rows, summary: rows[0] })
    expect(contents('text').messages.map(({ content }) => content.length)).toEqual([1, 1])
    expect(contents('full').messages.map(({ content }) => content.length)).toEqual([2, 1])
    expect(contents('text').summary?.content).toEqual([{ type: 'text', text: 'hi' }])
    expect(contents('full').summary?.content).toHaveLength(2)
  })

  test('reports rows that cannot be read, the summary first', () => {
    const rows = [text(1, hi), text(2, '{'), text(3, hi)]
    const answer = toTurnWindow('s1', undefined, 'text', { ...window, rows, summary: text(9, '[1]') })
    expect(answer.messages.map(({ seq }) => seq)).toEqual([1, 3])
    expect(answer).not.toHaveProperty('summary')
    expect(answer.damaged).toEqual([
      { seq: 9, reason: 'content is not an array of blocks' },
      { seq: 2, reason: 'content is not JSON' },
    ])
  })
})
