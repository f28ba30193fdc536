// Shapes at the edge of the contract: own keys, unknown fields, empty content, times, ids, and whose objects they are.

import assert from 'node:assert/strict'
import { defined, sameValue } from '../assertions.ts'
import { assistant, readAll, text, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'values'
const create = { createSession: true } as const

/** An object with an own key `__proto__`. */
function withProto(): { [key: string]: unknown } {
  return JSON.parse('{"a":1,"__proto__":{"x":1}}') as { [key: string]: unknown }
}

export const valueShapeSpecs: readonly Spec[] = [
  {
    id: 'VAL-20',
    group,
    title: 'an own key __proto__ is kept wherever it stands',
    needs: ['sessions.update'],
    async run({ store }) {
      const metadata = withProto()
      const block = {
        type: 'tool_use',
        id: 't',
        name: 'n',
        ...JSON.parse('{"__proto__":1}'),
        input: withProto(),
      }
      const other = JSON.parse('{"type":"x","__proto__":{"y":[{"__proto__":2}]}}')
      await store.messages.append('s', [assistant([block, other], { metadata })], create)
      const [message] = await readAll(store, 's')
      sameValue(message?.content, [block, other], 'content')
      sameValue(message?.metadata, metadata, 'metadata')
      const session = await store.sessions.update('s', { metadata, extensionData: metadata })
      sameValue(session.metadata, metadata, 'metadata of the session')
      sameValue(session.extensionData, metadata, 'extension data')
    },
  },
  {
    id: 'VAL-21',
    group,
    title: 'unknown blocks and unknown fields of known blocks are kept',
    async run({ store }) {
      const blocks = [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' }, citations: null },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' }, detail: 'high' },
        { type: 'tool_use', id: 't', name: 'n', input: {}, caller: { type: 'direct' } },
        { type: 'tool_result', tool_use_id: 't', content: [text('x'), { type: 'z', z: 1 }], extra: [1] },
        { type: 'tool_result', tool_use_id: 't', content: null, is_error: null },
        { type: 'tool_result', tool_use_id: 't' },
        { type: 'thinking', thinking: 'hm', signature: 's', extra: true },
        { type: 'redacted_thinking', data: 'd', extra: 1 },
        { type: 'server_tool_use', id: 's', anything: { at: ['all'] } },
      ]
      await store.messages.append('s', [user(blocks)], create)
      sameValue((await readAll(store, 's'))[0]?.content, blocks, 'content')
    },
  },
  {
    id: 'VAL-22',
    group,
    title: 'a string is stored as one text block, an empty one too, and no blocks stay none',
    async run({ store }) {
      await store.messages.append('s', [user('a'), user(''), user([])], create)
      const contents = (await readAll(store, 's')).map(({ content }) => content)
      assert.deepEqual(contents, [[text('a')], [text('')], []])
    },
  },
  {
    id: 'VAL-23',
    group,
    title:
      'members with value undefined are left out, -0 comes back as 0, other keys of a message are not stored',
    async run({ store }) {
      const block = { type: 'x', gone: undefined, zero: -0, deep: { gone: undefined, kept: null } }
      const message = { ...user([block], { metadata: { gone: undefined, zero: -0 } }), other: 'x' }
      const { messages } = await store.messages.append('s', [message], create)
      const [read] = await readAll(store, 's')
      for (const found of [messages[0], read]) {
        sameValue(found?.content, [{ type: 'x', zero: 0, deep: { kept: null } }], 'content')
        sameValue(found?.metadata, { zero: 0 }, 'metadata')
        assert.deepEqual(Object.keys(defined(found)).sort(), [
          'content',
          'createdAt',
          'id',
          'metadata',
          'role',
          'seq',
          'sessionId',
        ])
      }
    },
  },
  {
    id: 'VAL-24',
    group,
    title: 'times from the earliest to the latest Date come back',
    async run({ store }) {
      const times = [0, -1, 1, -62_135_596_800_000, 8.64e15, -8.64e15]
      await store.messages.append(
        's',
        times.map((createdAt) => user('q', { createdAt })),
        create,
      )
      assert.deepEqual(
        (await readAll(store, 's')).map(({ createdAt }) => createdAt),
        times,
      )
      for (const createdAt of times) {
        const session = await store.sessions.create({ id: `at ${createdAt}`, createdAt })
        assert.equal(session.createdAt, createdAt)
      }
    },
  },
  {
    id: 'VAL-25',
    group,
    title: 'message ids of 1 to 300 code points come back as they are and are told apart',
    needs: ['messages.get'],
    async run({ store }) {
      const ids = ['a/b?c#d', ' ', 'A', 'a', 'é', 'e\u0301', '\u{1f600}'.repeat(300), 'x'.repeat(300)]
      await store.messages.append(
        's',
        ids.map((id) => user(id, { id })),
        create,
      )
      for (const [index, id] of ids.entries()) {
        const message = await store.messages.get('s', id)
        assert.deepEqual([message?.id, message?.seq], [id, index + 1])
      }
    },
  },
  {
    id: 'VAL-26',
    group,
    title: 'what is stored does not change with the objects a caller gave or got',
    needs: ['sessions.list', 'sessions.update'],
    async run({ store }) {
      const block = { type: 'x', list: [1] }
      const given = { metadata: { list: [1] }, tags: ['a'] }
      const receipt = await store.messages.append('s', [user([block], { metadata: given.metadata })], {
        createSession: given,
      })
      const [messages, session] = [await readAll(store, 's'), defined(await store.sessions.get('s'))]
      const before = structuredClone({ messages, session })
      const listed = defined((await store.sessions.list()).items[0])
      const patched = await store.sessions.update('s', {})
      block.list.push(2)
      given.metadata.list.push(2)
      given.tags.push('b')
      for (const got of [session, listed, patched]) {
        ;(got.metadata.list as number[]).push(3)
        ;(got.tags as string[]).push('c')
      }
      for (const got of [receipt.messages[0], messages[0]]) {
        const { metadata, content } = defined(got)
        ;(metadata.list as number[]).push(3)
        ;(content as object[]).pop()
      }
      assert.deepEqual(
        { messages: await readAll(store, 's'), session: await store.sessions.get('s') },
        before,
      )
    },
  },
]
