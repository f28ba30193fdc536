// Values that JSON or the contract does not have: refused with the path, before anything is written.

import assert from 'node:assert/strict'
import type { NewMessage } from '@sess/core'
import { rejects } from '../assertions.ts'
import { assistant, readAll, turns, upTo, user } from '../data.ts'
import { rejectedValues } from '../fixtures/values.ts'
import type { Spec } from '../spec.ts'

const group = 'values'
const create = { createSession: true } as const
const withInput = (input: unknown) => assistant([{ type: 'tool_use', id: 't', name: 'n', input }])

export const valueRejectedSpecs: readonly Spec[] = [
  {
    id: 'VAL-30',
    group,
    title: 'a value JSON does not have in a tool input is invalid, named by its path, and leaves nothing',
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.get('s')
      for (const { name, make } of rejectedValues) {
        const batch = [user('q'), withInput({ deep: [make()] })]
        const error = await rejects('invalid', 'messages.append', () => store.messages.append('s', batch))
        assert.ok(error.message.includes('messages[1].content[0].input.deep[0]'), `${name}: ${error.message}`)
        await rejects('invalid', 'messages.append', () => store.messages.append('new', batch, create))
      }
      assert.deepEqual(await store.sessions.get('s'), before)
      assert.equal((await readAll(store, 's')).length, 2)
      assert.equal(await store.sessions.get('new'), undefined)
    },
  },
  {
    id: 'VAL-31',
    group,
    title: 'a value JSON does not have in the metadata of a message is invalid and leaves nothing',
    async run({ store }) {
      for (const { name, make } of rejectedValues) {
        const batch = [user('q'), user('q', { metadata: { 'a b': make() } })]
        const error = await rejects('invalid', 'messages.append', () =>
          store.messages.append('s', batch, create),
        )
        assert.ok(error.message.includes('messages[1].metadata["a b"]'), `${name}: ${error.message}`)
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-32',
    group,
    title: 'a value JSON does not have in a session is invalid and creates nothing',
    async run({ store }) {
      for (const { make } of rejectedValues) {
        for (const key of ['metadata', 'extensionData', 'modelConfig']) {
          const fields = { id: 's', [key]: { v: make() } }
          const error = await rejects('invalid', 'sessions.create', () => store.sessions.create(fields))
          assert.ok(error.message.includes(`session.${key}.v`), error.message)
          await rejects('invalid', 'messages.append', () =>
            store.messages.append('s', [user('q')], { createSession: fields }),
          )
        }
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-33',
    group,
    title: 'a value JSON does not have in a patch is invalid and changes nothing',
    needs: ['sessions.update'],
    async run({ store, clock }) {
      const before = await store.sessions.create({ id: 's', metadata: { a: 1 } })
      clock.advance(10)
      for (const { make } of rejectedValues) {
        for (const key of ['metadata', 'extensionData', 'modelConfig']) {
          const patch = { name: 'n', [key]: { v: make() } }
          const error = await rejects('invalid', 'sessions.update', () => store.sessions.update('s', patch))
          assert.ok(error.message.includes(`patch.${key}.v`), error.message)
        }
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'VAL-34',
    group,
    title: 'a value JSON does not have in an import is invalid and leaves nothing',
    needs: ['sessions.import'],
    async run({ store }) {
      for (const { make } of rejectedValues) {
        await rejects('invalid', 'sessions.import', () =>
          store.sessions.import({ id: 's' }, [user('q'), withInput(make())]),
        )
        await rejects('invalid', 'sessions.import', () =>
          store.sessions.import({ id: 's', metadata: { v: make() } }, [user('q')]),
        )
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-35',
    group,
    title: 'a message without its envelope is invalid, named by its path',
    async run({ store }) {
      const wrong: [unknown, string][] = [
        [null, 'messages[0]'],
        ['hi', 'messages[0]'],
        [{ content: 'q' }, 'messages[0].role'],
        [{ role: 'robot', content: 'q' }, 'messages[0].role'],
        [{ role: 'user' }, 'messages[0].content'],
        [{ role: 'user', content: 5 }, 'messages[0].content'],
        [{ role: 'user', content: null }, 'messages[0].content'],
        [{ role: 'user', content: { type: 'text', text: 'q' } }, 'messages[0].content'],
        [{ role: 'user', content: ['q'] }, 'messages[0].content[0]'],
        [{ role: 'user', content: [{ text: 'q' }] }, 'messages[0].content[0].type'],
        [{ role: 'user', content: [{ type: 5 }] }, 'messages[0].content[0].type'],
        [{ role: 'user', content: 'q', createdAt: '2026' }, 'messages[0].createdAt'],
        [{ role: 'user', content: 'q', createdAt: new Date(0) }, 'messages[0].createdAt'],
        [{ role: 'user', content: 'q', createdAt: 1.5 }, 'messages[0].createdAt'],
        [{ role: 'user', content: 'q', createdAt: 8.64e15 + 1 }, 'messages[0].createdAt'],
        [{ role: 'user', content: 'q', metadata: [] }, 'messages[0].metadata'],
        [{ role: 'user', content: 'q', metadata: 'x' }, 'messages[0].metadata'],
        [{ role: 'user', content: 'q', id: 5 }, 'messages[0].id'],
        [{ role: 'user', content: 'q', id: '' }, 'messages[0].id'],
        [{ role: 'user', content: 'q', id: 'x'.repeat(301) }, 'messages[0].id'],
        [{ role: 'user', content: 'q', id: 'a\u0000' }, 'messages[0].id'],
        [{ role: 'user', content: 'q', id: '\udc00' }, 'messages[0].id'],
      ]
      for (const [message, path] of wrong) {
        const error = await rejects('invalid', 'messages.append', () =>
          store.messages.append('s', [message as NewMessage], create),
        )
        assert.ok(error.message.includes(path), error.message)
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-36',
    group,
    title: 'fields of known blocks and of metadata that the rules read are checked',
    async run({ store }) {
      const blocks = [
        { type: 'text' },
        { type: 'text', text: 5 },
        { type: 'tool_use', name: 'n', input: {} },
        { type: 'tool_use', id: 't', name: 5 },
        { type: 'tool_result' },
        { type: 'tool_result', tool_use_id: 't', content: 5 },
        { type: 'tool_result', tool_use_id: 't', content: ['x'] },
        { type: 'tool_result', tool_use_id: 't', is_error: 'no' },
        { type: 'thinking' },
        { type: 'redacted_thinking', data: 5 },
      ]
      const metadata = [
        { userVisible: 'no' },
        { agentVisible: 0 },
        { provider: 5 },
        { channelType: [] },
        { usage: 'much' },
        { usage: { input: '1' } },
      ]
      const batches = [
        ...blocks.map((block) => user([block])),
        ...metadata.map((value) => user('q', { metadata: value })),
      ]
      for (const message of batches) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', [message], create))
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-37',
    group,
    title: 'an append may not set metadata.summary',
    async run({ store }) {
      const metadata = { summary: { fromSeq: 1, throughSeq: 1, line: [] } }
      const error = await rejects('invalid', 'messages.append', () =>
        store.messages.append('s', [user('q'), user('S', { metadata })], create),
      )
      assert.ok(error.message.includes('messages[1].metadata.summary'), error.message)
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-38',
    group,
    title: 'a message larger than the store takes is too-large, named, and leaves nothing',
    needs: ['sessions.import'],
    async run({ store }) {
      const { maxMessageBytes } = store.capabilities
      const large = user('x'.repeat(maxMessageBytes))
      const error = await rejects('too-large', 'messages.append', () =>
        store.messages.append('s', [user('q'), large], create),
      )
      assert.ok(error.message.includes('messages[1]'), error.message)
      await rejects('too-large', 'sessions.import', () => store.sessions.import({ id: 's' }, [large]))
      const wide = user('字'.repeat(Math.ceil(maxMessageBytes / 3)))
      await rejects('too-large', 'messages.append', () => store.messages.append('s', [wide], create))
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-39',
    group,
    title: 'an object whose members cannot be read is invalid and leaves nothing',
    async run({ store }) {
      const hostile = {
        get v(): never {
          throw new Error('not for you')
        },
      }
      for (const message of [withInput(hostile), user('q', { metadata: { hostile } })]) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', [message], create))
      }
      await rejects('invalid', 'sessions.create', () => store.sessions.create({ id: 's', metadata: hostile }))
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'VAL-40',
    group,
    title: 'after refused values the store goes on as if they had never been given',
    async run({ store }) {
      for (const { make } of rejectedValues) {
        await rejects('invalid', 'messages.append', () =>
          store.messages.append('s', [withInput(make())], create),
        )
      }
      for (const number of upTo(3)) {
        const { firstSeq, version } = await store.messages.append('s', [user('q')], create)
        assert.deepEqual([firstSeq, version], [number, number])
      }
    },
  },
]
