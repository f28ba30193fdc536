// Changing one message in place: what the patch names changes, the message stays where it is.

import assert from 'node:assert/strict'
import { restoreConversation } from '@sess/core'
import { defined, rejects, sameValue } from '../assertions.ts'
import { assistant, image, readAll, seqs, text, texts, toolResult, toolUse, turns, user } from '../data.ts'
import { allValues } from '../fixtures/values.ts'
import type { Spec } from '../spec.ts'

const group = 'edits'
const create = { createSession: true } as const
const needs = ['messages.update'] as const

export const editUpdateSpecs: readonly Spec[] = [
  {
    id: 'EDT-01',
    group,
    title: 'an update changes content or metadata as a whole, and nothing else of the message',
    needs: ['messages.update', 'messages.get'],
    async run({ store, clock }) {
      const first = user('a', { id: 'a', createdAt: 5, metadata: { p: 1, q: 2 } })
      await store.messages.append('s', [first, user('b')], create)
      const [before, other] = await readAll(store, 's')
      clock.advance(10)
      const content = [text('after'), { type: 'x_new', z: 1, a: [null] }]
      const changed = await store.messages.update('s', 'a', { content })
      assert.deepEqual(changed, { ...before, content })
      const again = await store.messages.update('s', 'a', { metadata: { r: 3 } })
      assert.deepEqual(again, { ...before, content, metadata: { r: 3 } })
      const both = await store.messages.update('s', 'a', { content: 'both', metadata: {} })
      assert.deepEqual(both, { ...before, content: [text('both')], metadata: {} })
      assert.deepEqual(await readAll(store, 's'), [both, other])
      assert.deepEqual(await store.messages.get('s', 'a'), both)
    },
  },
  {
    id: 'EDT-02',
    group,
    title: 'an update is one change of the session and no activity',
    needs,
    async run({ store, clock }) {
      await store.messages.append('s', [user('a', { id: 'a' }), assistant('b')], create)
      const before = defined(await store.sessions.get('s'))
      const now = clock.advance(10)
      await store.messages.update('s', 'a', { content: 'after' })
      const after = defined(await store.sessions.get('s'))
      assert.ok(after.changeSeq > before.changeSeq)
      assert.deepEqual(after, {
        ...before,
        version: before.version + 1,
        updatedAt: now,
        changeSeq: after.changeSeq,
      })
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('late')], { expectedVersion: before.version }),
      )
    },
  },
  {
    id: 'EDT-03',
    group,
    title: 'a patch that names nothing answers the message and changes nothing',
    needs,
    async run({ store, clock }) {
      const { messages } = await store.messages.append('s', [user('a', { id: 'a' })], create)
      const before = await store.sessions.get('s')
      clock.advance(10)
      assert.deepEqual(await store.messages.update('s', 'a', {}), messages[0])
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'EDT-04',
    group,
    title: 'the preview follows: the newest text that people see, wherever it was changed',
    needs,
    async run({ store }) {
      const batch = [user('a', { id: 'a' }), assistant('b', { id: 'b' }), user([image()], { id: 'c' })]
      await store.messages.append('s', batch, create)
      const previewAfter = async (id: string, patch: object) => {
        await store.messages.update('s', id, patch)
        return (await store.sessions.get('s'))?.preview
      }
      assert.equal(await previewAfter('b', { content: 'b2\nmore' }), 'b2')
      assert.equal(await previewAfter('a', { content: 'a2' }), 'b2')
      assert.equal(await previewAfter('c', { content: [image(), text('c2')] }), 'c2')
      assert.equal(await previewAfter('c', { metadata: { userVisible: false } }), 'b2')
      assert.equal(await previewAfter('b', { content: ' \u3000\n' }), 'a2')
      assert.equal(await previewAfter('a', { content: [] }), '')
      assert.equal(await previewAfter('c', { metadata: {} }), 'c2')
    },
  },
  {
    id: 'EDT-05',
    group,
    title: 'what a message is to a turn follows its content and who may see it',
    needs: ['messages.update', 'messages.recentTurns'],
    async run({ store }) {
      const batch = [...turns(1), user('q2', { id: 'q2' }), assistant('a2', { id: 'a2' })]
      await store.messages.append('s', batch, create)
      const turnsOf = async (id: string, patch: object) => {
        await store.messages.update('s', id, patch)
        const { turns: found } = await store.messages.recentTurns('s', { turns: 9, mode: 'text' })
        return found.map(({ seq, interrupted }) => `${seq}${interrupted ? ' interrupted' : ''}`)
      }
      assert.deepEqual(await turnsOf('q2', { content: ' ' }), ['1'])
      assert.deepEqual(await turnsOf('q2', { content: [toolResult('t')] }), ['1'])
      assert.deepEqual(await turnsOf('q2', { content: [image()] }), ['1', '3'])
      assert.deepEqual(await turnsOf('a2', { content: [text('a2'), toolUse('t')] }), ['1', '3 interrupted'])
      assert.deepEqual(await turnsOf('a2', { metadata: { agentVisible: false } }), ['1', '3'])
      assert.deepEqual(await turnsOf('q2', { metadata: { agentVisible: false } }), ['1'])
    },
  },
  {
    id: 'EDT-06',
    group,
    title: 'a restore and a window in text mode give the text as it is now',
    needs: ['messages.update', 'messages.recentTurns'],
    async run({ store }) {
      const reply = assistant([text('look'), { type: 'x_chart', data: 1 }], { id: 'reply' })
      await store.messages.append('s', [user([image()], { id: 'ask' }), reply], create)
      const restored = async () => texts((await restoreConversation(store, 's')).messages)
      assert.deepEqual(await restored(), ['[image]', 'look'])
      await store.messages.update('s', 'reply', { content: [text('better'), { type: 'x_chart', data: 2 }] })
      await store.messages.update('s', 'ask', { content: [image(), text('what is it?')] })
      assert.deepEqual(await restored(), ['what is it?', 'better'])
      await store.messages.update('s', 'reply', { content: 'plain' })
      await store.messages.update('s', 'ask', { content: [{ type: 'document' }] })
      assert.deepEqual(await restored(), ['[document]', 'plain'])
      const { messages } = await store.messages.recentTurns('s', { turns: 1, mode: 'text' })
      assert.deepEqual(
        messages.map(({ content }) => content),
        [[{ type: 'document' }], [text('plain')]],
      )
    },
  },
  {
    id: 'EDT-07',
    group,
    title: 'every value comes back from an update',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' })], create)
      for (const [index, v] of allValues.entries()) {
        const patch = { content: [{ type: 'x', v }], metadata: { v } }
        const answered = await store.messages.update('s', 'm', patch)
        const [read] = await readAll(store, 's')
        for (const message of [answered, read]) {
          sameValue(message?.content, patch.content, `content ${index}`)
          sameValue(message?.metadata, patch.metadata, `metadata ${index}`)
        }
      }
    },
  },
  {
    id: 'EDT-08',
    group,
    title: 'an update of a message that the session has not is not-found',
    needs,
    async run({ store }) {
      for (const id of ['s', 'other'])
        await store.messages.append(id, [user('q', { id: `of ${id}` })], create)
      const before = [await store.sessions.get('s'), await store.sessions.get('other')]
      const patch = { content: 'x' }
      await rejects('not-found', 'messages.update', () => store.messages.update('s', 'unknown', patch))
      await rejects('not-found', 'messages.update', () => store.messages.update('s', 'of other', patch))
      await rejects('not-found', 'messages.update', () => store.messages.update('s', 'unknown', {}))
      await rejects('not-found', 'messages.update', () => store.messages.update('unknown', 'of s', patch))
      assert.deepEqual([await store.sessions.get('s'), await store.sessions.get('other')], before)
    },
  },
  {
    id: 'EDT-09',
    group,
    title: 'a patch that breaks a rule is invalid, one that is too large too-large, and nothing changes',
    needs,
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' })], create)
      const before = [await store.sessions.get('s'), await readAll(store, 's')]
      const wrong: object[] = [
        { content: 5 },
        { content: [{ text: 'x' }] },
        { content: [{ type: 'text' }] },
        { content: [{ type: 'x', v: 1n }] },
        { metadata: [] },
        { metadata: { v: new Date(0) } },
        { metadata: { agentVisible: 'no' } },
        { metadata: { summary: { fromSeq: 1, throughSeq: 1, line: [] } } },
        { role: 'assistant' },
        { content: 'x', id: 'other' },
        { createdAt: 5 },
      ]
      for (const patch of wrong) {
        await rejects('invalid', 'messages.update', () => store.messages.update('s', 'm', patch))
      }
      for (const id of ['', '..', 'a\u0000']) {
        await rejects('invalid', 'messages.update', () => store.messages.update('s', id, {}))
        await rejects('invalid', 'messages.update', () => store.messages.update(id, 'm', {}))
      }
      const content = 'x'.repeat(store.capabilities.maxMessageBytes)
      await rejects('too-large', 'messages.update', () => store.messages.update('s', 'm', { content }))
      assert.deepEqual([await store.sessions.get('s'), await readAll(store, 's')], before)
    },
  },
  {
    id: 'EDT-10',
    group,
    title: 'a message that was changed is no longer equal to what was appended',
    needs,
    async run({ store }) {
      const message = user('a', { id: 'a' })
      await store.messages.append('s', [message], create)
      await store.messages.update('s', 'a', { content: 'b' })
      await rejects('conflict', 'messages.append', () => store.messages.append('s', [message]))
      const { messages } = await store.messages.append('s', [user('b', { id: 'a' })])
      assert.deepEqual(seqs(messages), [1])
    },
  },
  {
    id: 'EDT-11',
    group,
    title: 'a damaged message is corrupt unless the patch gives all of it, which mends it',
    needs: ['messages.update', 'messages.get'],
    needsHandle: ['damage'],
    async run({ store, damage }) {
      await store.messages.append(
        's',
        ['a', 'b', 'c'].map((id) => user(id, { id })),
        create,
      )
      await damage({ sessionId: 's', messageId: 'b' })
      for (const patch of [{}, { metadata: { m: 1 } }, { content: 'new' }]) {
        await rejects('corrupt', 'messages.update', () => store.messages.update('s', 'b', patch))
      }
      const mended = await store.messages.update('s', 'b', { content: 'new', metadata: {} })
      assert.deepEqual([mended.seq, mended.role, mended.content], [2, 'user', [text('new')]])
      assert.deepEqual(await store.messages.get('s', 'b'), mended)
      const page = await store.messages.read('s')
      assert.deepEqual([texts(page.items), 'damaged' in page], [['a', 'new', 'c'], false])
    },
  },
  {
    id: 'EDT-12',
    group,
    title: 'null is no content and no metadata',
    needs: ['messages.update'],
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'q' })], create)
      const before = await store.sessions.get('s')
      for (const patch of [{ content: null }, { metadata: null }, { content: 'x', metadata: null }]) {
        await rejects('invalid', 'messages.update', () => store.messages.update('s', 'q', patch as never))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
]
