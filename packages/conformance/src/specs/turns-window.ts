// Windows of turns: what begins one, which rows belong to it, what is counted.

import assert from 'node:assert/strict'
import type { NewMessage } from '@sess/core'
import { rejects } from '../assertions.ts'
import { assistant, image, readAll, seqs, text, toolResult, toolUse, turns, upTo, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'turns'
const needs = ['messages.recentTurns'] as const
const create = { createSession: true } as const
const invisible = { metadata: { agentVisible: false } }

/** Ten rows; turns begin at seq 2, 4 and 10. */
const history: readonly NewMessage[] = [
  assistant('stray'),
  user('q1'),
  assistant('a1'),
  user('q2'),
  assistant([text('let me look'), toolUse('t1')]),
  user([toolResult('t1')]),
  assistant('a2'),
  { role: 'system', content: 'note' },
  user('secret', invisible),
  user('q3'),
]

export const turnWindowSpecs: readonly Spec[] = [
  {
    id: 'TRN-01',
    group,
    title: 'an unknown session has an empty window and no session',
    needs,
    async run({ store }) {
      const nothing = { messages: [], turns: [], dropped: 0, interrupted: 0, reachedStart: true }
      for (const id of ['unknown', '', '\u0000']) {
        assert.deepEqual(await store.messages.recentTurns(id, { turns: 3 }), nothing)
        assert.deepEqual(await store.messages.recentTurns(id, { turns: 3, mode: 'text' }), nothing)
      }
    },
  },
  {
    id: 'TRN-02',
    group,
    title: 'fewer than one turn gives nothing but the session',
    needs,
    async run({ store }) {
      await store.messages.append('s', history, create)
      for (const count of [0, -1]) {
        for (const mode of ['full', 'text'] as const) {
          const { reachedStart: _, ...window } = await store.messages.recentTurns('s', { turns: count, mode })
          const session = await store.sessions.get('s')
          assert.deepEqual(window, { messages: [], turns: [], dropped: 0, interrupted: 0, session })
        }
      }
    },
  },
  {
    id: 'TRN-03',
    group,
    title: 'a window holds all rows from the first message of the n-th latest turn on, oldest first',
    needs,
    async run({ store }) {
      await store.messages.append('s', history, create)
      const rows = await readAll(store, 's')
      const session = await store.sessions.get('s')
      const begins = [
        { seq: 2, interrupted: false },
        { seq: 4, interrupted: false },
        { seq: 10, interrupted: false },
      ]
      for (const [count, first] of [
        [1, 10],
        [2, 4],
        [3, 2],
        [99, 2],
      ] as const) {
        const reachedStart = first === 2
        const expected = {
          messages: rows.slice(first - 1),
          turns: begins.filter(({ seq }) => seq >= first),
          dropped: reachedStart ? 1 : 0,
          interrupted: 0,
          reachedStart,
          session,
        }
        assert.deepEqual(await store.messages.recentTurns('s', { turns: count }), expected)
        assert.deepEqual(await store.messages.recentTurns('s', { turns: count, mode: 'full' }), expected)
      }
    },
  },
  {
    id: 'TRN-04',
    group,
    title: 'a turn begins at an agent-visible user message without tool_result that is not only blank text',
    needs,
    async run({ store }) {
      const cases: [NewMessage, boolean][] = [
        [user('q'), true],
        [user([text(' '), text('q')]), true],
        [user([image()]), true],
        [user([text(''), image()]), true],
        [user([{ type: 'x_unknown' }]), true],
        [user([{ type: 'x_unknown', text: ' ' }]), true],
        [user('q', { metadata: { userVisible: false, agentVisible: true } }), true],
        [user(' \n\t\u00a0\ufeff'), false],
        [user([]), false],
        [user([text(''), text(' ')]), false],
        [user([toolResult('t')]), false],
        [user([toolResult('t'), text('steering')]), false],
        [user([text('steering'), toolResult('t'), image()]), false],
        [user('q', invisible), false],
        [assistant('a'), false],
        [{ role: 'system', content: 'q' }, false],
        [{ role: 'tool', content: 'q' }, false],
      ]
      for (const [index, [message, begins]] of cases.entries()) {
        await store.messages.append(`s${index}`, [message], create)
        const window = await store.messages.recentTurns(`s${index}`, { turns: 1 })
        assert.deepEqual(
          window.turns,
          begins ? [{ seq: 1, interrupted: false }] : [],
          JSON.stringify(message),
        )
      }
    },
  },
  {
    id: 'TRN-05',
    group,
    title: 'dropped counts what the agent sees before the first turn, but system rows',
    needs,
    async run({ store }) {
      const before: NewMessage[] = [
        { role: 'system', content: 'system' },
        assistant('stray'),
        assistant('unseen', invisible),
        user([toolResult('t')]),
        { role: 'tool', content: [toolResult('t')] },
        user(' '),
      ]
      const dropped = async (id: string, count: number) => {
        const window = await store.messages.recentTurns(id, { turns: count })
        const asText = await store.messages.recentTurns(id, { turns: count, mode: 'text' })
        assert.equal(asText.dropped, window.dropped)
        return window.dropped
      }
      await store.messages.append('none', before, create)
      assert.equal(await dropped('none', 1), 4)
      await store.messages.append('some', [...before, ...turns(2)], create)
      assert.equal(await dropped('some', 1), 0)
      assert.equal(await dropped('some', 2), 4)
      assert.equal(await dropped('some', 3), 4)
    },
  },
  {
    id: 'TRN-06',
    group,
    title: 'a window without any turn holds no rows, has reached the start, and counts what it left',
    needs,
    async run({ store }) {
      await store.messages.append('s', [assistant('stray')], create)
      const { session: _, ...window } = await store.messages.recentTurns('s', { turns: 5 })
      const expected = { messages: [], turns: [], dropped: 1, interrupted: 0, reachedStart: true }
      assert.deepEqual(window, expected)
    },
  },
  {
    id: 'TRN-07',
    group,
    title: 'a turn is interrupted if its reply stands beside a tool_use, or rows follow and none is a reply',
    needs,
    async run({ store }) {
      const cases: [NewMessage[], boolean][] = [
        [[], false],
        [[assistant('a')], false],
        [[assistant([toolUse('t')]), user([toolResult('t')]), assistant('a')], false],
        [[assistant('a'), assistant([text('and'), toolUse('t')]), user([toolResult('t')])], false],
        [[assistant('unseen', invisible)], false],
        [[assistant([text('wait'), toolUse('t')])], true],
        [[assistant([toolUse('t')]), user([toolResult('t')])], true],
        [[assistant([{ type: 'thinking', thinking: 'hm' }])], true],
        [[assistant(' ')], true],
        [[{ role: 'system', content: 'note' }], true],
      ]
      await store.messages.append(
        's',
        cases.flatMap(([rest]) => [user('q'), ...rest]),
        create,
      )
      for (const mode of ['full', 'text'] as const) {
        const window = await store.messages.recentTurns('s', { turns: 100, mode })
        assert.deepEqual(
          window.turns.map(({ interrupted }) => interrupted),
          cases.map(([, interrupted]) => interrupted),
        )
        assert.equal(window.interrupted, 5)
        const last = await store.messages.recentTurns('s', { turns: 2, mode })
        assert.equal(last.interrupted, 2, 'only the turns given are counted')
      }
    },
  },
  {
    id: 'TRN-08',
    group,
    title: 'beforeSeq pages back through the whole history, turn by turn',
    needs,
    async run({ store }) {
      await store.messages.append('s', [assistant('stray'), ...turns(10)], create)
      // Turns begin at 2, 4, ..., 20.
      const pages: [before: number, first: number, last: number][] = [
        [100, 14, 21],
        [14, 6, 13],
        [6, 2, 5],
      ]
      for (const mode of ['full', 'text'] as const) {
        for (const [beforeSeq, first, last] of pages) {
          const window = await store.messages.recentTurns('s', { turns: 4, mode, beforeSeq })
          assert.deepEqual(seqs(window.messages), upTo(last).slice(first - 1))
          assert.equal(window.turns[0]?.seq, first)
          assert.equal(window.turns.length, (last - first + 1) / 2)
          assert.deepEqual([window.reachedStart, window.dropped], first === 2 ? [true, 1] : [false, 0])
        }
      }
    },
  },
  {
    id: 'TRN-09',
    group,
    title: 'beforeSeq is excluded, and inside a turn it gives the rows of it that stand before',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(3), create)
      const given = async (beforeSeq: number) => {
        const window = await store.messages.recentTurns('s', { turns: 1, beforeSeq })
        return seqs(window.messages)
      }
      assert.deepEqual(await given(100), [5, 6])
      assert.deepEqual(await given(7), [5, 6])
      assert.deepEqual(await given(6), [5])
      assert.deepEqual(await given(5), [3, 4])
      assert.deepEqual(await given(2), [1])
      assert.deepEqual(await given(1), [])
      assert.deepEqual(await given(0), [])
    },
  },
  {
    id: 'TRN-10',
    group,
    title: 'an option of recentTurns that is none is invalid',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const wrong: object[] = [
        {},
        { turns: 1.5 },
        { turns: '3' },
        { turns: Number.NaN },
        { turns: 1, mode: 'short' },
        { turns: 1, scope: 'some' },
        { turns: 1, beforeSeq: 1.5 },
        { turns: 1, colour: 'red' },
      ]
      for (const options of wrong) {
        await rejects('invalid', 'messages.recentTurns', () =>
          store.messages.recentTurns('s', options as { turns: number }),
        )
      }
    },
  },
  {
    id: 'TRN-11',
    group,
    title: 'the latest turns of a long session are right, however long each is',
    needs,
    async run({ store }) {
      const tools = upTo(60).flatMap((number) => [
        assistant([toolUse(`t${number}`)]),
        user([toolResult(`t${number}`)]),
      ])
      for (const number of upTo(5)) {
        await store.messages.append('s', [user(`q${number}`), ...tools, assistant(`a${number}`)], create)
      }
      const full = await store.messages.recentTurns('s', { turns: 2 })
      assert.deepEqual(seqs(full.messages), upTo(610).slice(366))
      const asText = await store.messages.recentTurns('s', { turns: 2, mode: 'text' })
      assert.deepEqual(seqs(asText.messages), [367, 488, 489, 610])
      assert.deepEqual(asText.turns, full.turns)
    },
  },
]
