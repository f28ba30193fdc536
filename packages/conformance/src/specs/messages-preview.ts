// The preview: the one line a list shows of a conversation.

import assert from 'node:assert/strict'
import type { NewMessage, SessionStore } from '@sess/core'
import { assistant, image, text, toolResult, toolUse, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'messages'

async function previewAfter(store: SessionStore, id: string, batch: readonly NewMessage[]) {
  await store.messages.append(id, batch, { createSession: true })
  return (await store.sessions.get(id))?.preview
}

export const messagePreviewSpecs: readonly Spec[] = [
  {
    id: 'MSG-80',
    group,
    title: 'the preview is the first line that is not blank, without spaces around it',
    async run({ store }) {
      const cases: [string | ReturnType<typeof text>[], string][] = [
        ['one\ntwo', 'one'],
        ['  \n\n \t one \r\ntwo', 'one'],
        ['one\u2028two', 'one'],
        ['one  two', 'one  two'],
        [[text(' \n'), text('second\nblock')], 'second'],
        [[image(), text('beside an image')], 'beside an image'],
        ['会话\n', '会话'],
      ]
      for (const [index, [content, expected]] of cases.entries()) {
        assert.equal(await previewAfter(store, `s${index}`, [user(content)]), expected)
      }
    },
  },
  {
    id: 'MSG-81',
    group,
    title: 'the preview is of the newest message of a user or assistant that people see and that has text',
    async run({ store }) {
      const preview = (...batch: NewMessage[]) => previewAfter(store, 's', batch)
      assert.equal(await preview(user('question'), assistant('answer')), 'answer')
      assert.equal(await preview({ role: 'system', content: 'system' }), 'answer')
      assert.equal(await preview({ role: 'tool', content: [toolResult('t'), text('tool')] }), 'answer')
      assert.equal(await preview(user('unseen', { metadata: { userVisible: false } })), 'answer')
      assert.equal(await preview(assistant([toolUse('t')]), user([toolResult('t')])), 'answer')
      assert.equal(await preview(user(' \n '), user([]), user([image()])), 'answer')
      assert.equal(await preview(assistant([{ type: 'thinking', thinking: 'hm' }])), 'answer')
      assert.equal(await preview(user([{ type: 'x_note', text: 'no text block' }])), 'answer')
      assert.equal(await preview(user('for people', { metadata: { agentVisible: false } })), 'for people')
      assert.equal(await preview(user([toolResult('t'), text('steering')])), 'steering')
      assert.equal(await preview(assistant([text('about to'), toolUse('t')])), 'about to')
    },
  },
  {
    id: 'MSG-82',
    group,
    title: 'newest is by seq, not by time',
    async run({ store }) {
      const batch = [user('first', { createdAt: 9000 }), user('second', { createdAt: 10 })]
      assert.equal(await previewAfter(store, 's', batch), 'second')
      assert.equal(await previewAfter(store, 's', [user('third', { createdAt: 1 })]), 'third')
    },
  },
  {
    id: 'MSG-83',
    group,
    title: 'the preview has at most 128 code points, never half of one',
    async run({ store }) {
      assert.equal(await previewAfter(store, 'a', [user('x'.repeat(1000))]), 'x'.repeat(128))
      const faces = '\u{1f600}'.repeat(200)
      assert.equal(await previewAfter(store, 'b', [user(faces)]), '\u{1f600}'.repeat(128))
      assert.equal(await previewAfter(store, 'c', [user(`a${faces}`)]), `a${'\u{1f600}'.repeat(127)}`)
    },
  },
  {
    id: 'MSG-84',
    group,
    title: 'the preview of ill-formed text is well-formed, and the message stays as it is',
    async run({ store }) {
      const preview = await previewAfter(store, 's', [user('a\ud83dz\u0000b')])
      assert.equal(preview?.isWellFormed(), true)
      assert.equal(preview, 'a\ufffdz b')
      const { items } = await store.messages.read('s')
      assert.deepEqual(items[0]?.content, [text('a\ud83dz\u0000b')])
    },
  },
  {
    id: 'MSG-85',
    group,
    title: 'a session without such a message has an empty preview',
    async run({ store }) {
      assert.equal(await previewAfter(store, 's', [{ role: 'system', content: 'be nice' }, user([])]), '')
    },
  },
]
