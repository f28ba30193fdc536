// Text mode: only the rows a text restore uses, cut to their text blocks or to one placeholder block.

import assert from 'node:assert/strict'
import type { ContentBlock, NewMessage } from '@sess/core'
import { assistant, image, readAll, seqs, text, toolResult, toolUse, user } from '../data.ts'
import { restoreCases } from '../fixtures/text-restore.ts'
import type { Spec } from '../spec.ts'

const group = 'turns'
const needs = ['messages.recentTurns'] as const
const create = { createSession: true } as const
const thinking = { type: 'thinking', thinking: 'hm' }
const marked = { type: 'text', text: 'cached', cache_control: { type: 'ephemeral' } }

export const turnTextSpecs: readonly Spec[] = [
  {
    id: 'TRN-20',
    group,
    title: 'text mode gives openers, steering texts and one reply a turn, and nothing else',
    needs,
    async run({ store }) {
      await store.messages.append(
        's',
        [
          assistant('stray'),
          user('q1'),
          assistant([text('let me look'), toolUse('t1')]),
          user([toolResult('t1'), text('steering')]),
          { role: 'tool', content: [toolResult('t1')] },
          assistant('first answer'),
          assistant('last answer'),
          user(' '),
          { role: 'system', content: 'note' },
          user('unseen', { metadata: { agentVisible: false } }),
          assistant('unseen', { metadata: { agentVisible: false } }),
          user('q2'),
          assistant([text('one'), toolUse('t2')]),
          assistant([text('two'), toolUse('t3')]),
          user([toolResult('t3')]),
        ],
        create,
      )
      const window = await store.messages.recentTurns('s', { turns: 9, mode: 'text' })
      assert.deepEqual(seqs(window.messages), [2, 4, 7, 12, 14])
      assert.deepEqual(
        window.messages.map(({ content }) => content),
        [[text('q1')], [text('steering')], [text('last answer')], [text('q2')], [text('two')]],
      )
      const { messages } = await store.messages.recentTurns('s', { turns: 1, mode: 'text' })
      assert.deepEqual(seqs(messages), [12, 14])
    },
  },
  {
    id: 'TRN-21',
    group,
    title: 'content is cut to its text blocks as they are, or to the type of its first other block',
    needs,
    async run({ store }) {
      const cases: [NewMessage, object[]][] = [
        [user('plain'), [text('plain')]],
        [user([text('a'), text(''), text(' b ')]), [text('a'), text(''), text(' b ')]],
        [user([image(), marked, text('b'), image()]), [marked, text('b')]],
        [user([text(''), image(), text('x')]), [text(''), text('x')]],
        [user([image()]), [{ type: 'image' }]],
        [user([text(' '), { type: 'document', source: { data: 'x' } }, image()]), [{ type: 'document' }]],
        [user([{ type: 'input_audio', input_audio: { data: 'x' } }]), [{ type: 'input_audio' }]],
        [user([{ type: 'x_note', text: 'no text block' }]), [{ type: 'x_note' }]],
      ]
      await store.messages.append(
        's',
        cases.map(([message]) => message),
        create,
      )
      const window = await store.messages.recentTurns('s', { turns: 100, mode: 'text' })
      assert.deepEqual(
        window.messages.map(({ content }): readonly ContentBlock[] => content),
        cases.map(([, content]) => content),
      )
      await store.messages.append(
        't',
        [user('q'), assistant([thinking, text('a'), { type: 'x', v: 1 }])],
        create,
      )
      const { messages } = await store.messages.recentTurns('t', { turns: 1, mode: 'text' })
      assert.deepEqual(messages[1]?.content, [text('a')])
    },
  },
  {
    id: 'TRN-22',
    group,
    title: 'ids, seqs, roles, times and metadata are those of the rows in either mode',
    needs,
    async run({ store }) {
      const metadata = { model: 'm', mine: { a: [1] } }
      const batch = [
        user([image(), text('q')], { id: 'q', createdAt: 5, metadata }),
        assistant([thinking, text('a')], { id: 'a', createdAt: 4, metadata }),
      ]
      await store.messages.append('s', batch, create)
      const bare = (messages: readonly object[]) => messages.map((message) => ({ ...message, content: [] }))
      const rows = await readAll(store, 's')
      const asText = await store.messages.recentTurns('s', { turns: 1, mode: 'text' })
      assert.deepEqual(bare(asText.messages), bare(rows))
      const full = await store.messages.recentTurns('s', { turns: 1 })
      assert.deepEqual(full.messages, rows)
    },
  },
  {
    id: 'TRN-23',
    group,
    title: 'both modes agree on turns, dropped, interrupted, the start and the session',
    needs,
    async run({ store }) {
      for (const { id, messages } of restoreCases) {
        await store.sessions.create({ id })
        await store.messages.append(id, messages)
        for (const count of [1, 2, 100]) {
          const full = await store.messages.recentTurns(id, { turns: count, mode: 'full' })
          const asText = await store.messages.recentTurns(id, { turns: count, mode: 'text' })
          assert.deepEqual({ ...asText, messages: [] }, { ...full, messages: [] }, id)
          const given = seqs(full.messages)
          assert.ok(seqs(asText.messages).every((seq) => given.includes(seq)))
        }
      }
    },
  },
  {
    id: 'TRN-24',
    group,
    title: 'windows follow appends: a new question opens the next turn at once',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q1')], create)
      const window = () => store.messages.recentTurns('s', { turns: 1, mode: 'text' })
      assert.deepEqual(seqs((await window()).messages), [1])
      await store.messages.append('s', [assistant([text('wait'), toolUse('t')])])
      assert.deepEqual((await window()).turns, [{ seq: 1, interrupted: true }])
      await store.messages.append('s', [user([toolResult('t')]), assistant('a1')])
      assert.deepEqual((await window()).turns, [{ seq: 1, interrupted: false }])
      assert.deepEqual(seqs((await window()).messages), [1, 4])
      await store.messages.append('s', [user('q2')])
      assert.deepEqual(seqs((await window()).messages), [5])
    },
  },
]
