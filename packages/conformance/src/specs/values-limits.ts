// Limits at their very edge: what is just within them is kept, what is just beyond is refused.

import assert from 'node:assert/strict'
import { defined, rejects } from '../assertions.ts'
import { assistant, readAll, text, texts, user } from '../data.ts'
import { nested } from '../fixtures/values.ts'
import type { Spec } from '../spec.ts'

const group = 'values'
const create = { createSession: true } as const

/** How deep a value may be, itself counted. */
const depth = 1000

/** Content of exactly so many levels: the array of blocks, the block, and what is inside. */
function contentOf(levels: number) {
  return [{ type: 'tool_use', id: 't', name: 'n', input: nested(levels - 2, (a) => ({ a })) }]
}

export const valueLimitSpecs: readonly Spec[] = [
  {
    id: 'VAL-41',
    group,
    title: 'a message id of 1 to 300 code points is taken as it is, but . and .., which no URL can carry',
    needs: ['messages.get'],
    async run({ store }) {
      const fine = ['a', '...', '. ', '.a', 'a/b', 'a b', 'ÄÖ', '😀'.repeat(300), 'é', 'e\u0301']
      await store.messages.append(
        's',
        fine.map((id) => user(id, { id })),
        create,
      )
      for (const id of fine) assert.deepEqual(texts([defined(await store.messages.get('s', id))]), [id])
      for (const id of ['.', '..']) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', [user('q', { id })]))
        assert.equal(await store.messages.get('s', id), undefined)
      }
    },
  },
  {
    id: 'VAL-42',
    group,
    title: 'a message of exactly the bytes a store takes is stored, one byte more is too-large',
    async run({ store }) {
      const { maxMessageBytes } = store.capabilities
      const metadata = { note: '字' }
      const frame =
        Buffer.byteLength(JSON.stringify([text('')])) + Buffer.byteLength(JSON.stringify(metadata))
      const wide = Math.floor((maxMessageBytes - frame) / 3)
      const rest = maxMessageBytes - frame - wide * 3
      const full = `${'字'.repeat(wide)}${'x'.repeat(rest)}`
      const error = await rejects('too-large', 'messages.append', () =>
        store.messages.append('s', [user('q'), user(`${full}x`, { metadata })], create),
      )
      assert.ok(error.message.includes('messages[1]'), error.message)
      assert.equal(await store.sessions.get('s'), undefined)
      await store.messages.append('s', [user(full, { metadata })], create)
      const { items } = await store.messages.read('s')
      assert.ok(texts(items)[0] === full, 'the largest message came back otherwise')
    },
  },
  {
    id: 'VAL-43',
    group,
    title: 'content and metadata of exactly 1,000 levels come back, one level more is invalid',
    needs: ['messages.get', 'messages.recentTurns', 'sessions.update'],
    async run({ store }) {
      const content = contentOf(depth)
      const metadata = { deep: nested(depth - 1) }
      const batch = [user('q'), assistant(content, { id: 'deep', metadata }), assistant('a')]
      await store.messages.append('s', batch, create)
      const found = [
        (await readAll(store, 's'))[1],
        await store.messages.get('s', 'deep'),
        (await store.messages.recentTurns('s', { turns: 1 })).messages[1],
      ]
      for (const message of found) {
        assert.equal(JSON.stringify(message?.content), JSON.stringify(content))
        assert.equal(JSON.stringify(message?.metadata), JSON.stringify(metadata))
      }
      const session = await store.sessions.update('s', { metadata })
      assert.equal(JSON.stringify(session.metadata), JSON.stringify(metadata))
      const deeper = { deep: nested(depth) }
      for (const message of [assistant(contentOf(depth + 1)), user('q', { metadata: deeper })]) {
        await rejects('invalid', 'messages.append', () => store.messages.append('s', [message]))
      }
      await rejects('invalid', 'sessions.update', () => store.sessions.update('s', { metadata: deeper }))
    },
  },
  {
    id: 'VAL-44',
    group,
    title: 'around a message of 1,000 levels a history is changed, copied and cut like any other',
    needs: [
      'messages.remove',
      'messages.truncate',
      'messages.update',
      'sessions.fork',
      'sessions.list',
      'sessions.rewind',
    ],
    async run({ store }) {
      const content = [text('deep'), ...contentOf(depth)]
      const metadata = { deep: nested(depth - 1) }
      const batch = [
        user('q', { id: 'q' }),
        assistant(content, { id: 'deep', metadata }),
        user('r', { id: 'r' }),
        user('s', { id: 's' }),
      ]
      await store.messages.append('s', batch, create)
      await store.messages.update('s', 'q', { content: 'changed' })
      const fork = await store.sessions.fork('s', { atMessageId: 'deep' })
      await store.messages.remove('s', ['s'])
      assert.equal((await store.sessions.get('s'))?.preview, 'r')
      await store.messages.truncate('s', { fromMessageId: 'r' })
      assert.deepEqual([fork.preview, (await store.sessions.get('s'))?.preview], ['deep', 'deep'])
      const { session, branch } = await store.sessions.rewind('s', { toMessageId: 'q' })
      assert.deepEqual([session.preview, branch?.preview], ['changed', 'deep'])
      const moved = await readAll(store, defined(branch).id)
      assert.equal(JSON.stringify(moved[0]?.metadata), JSON.stringify(metadata))
      assert.equal((await store.sessions.list({ metadata: { a: 1 } })).items.length, 0)
    },
  },
  {
    id: 'VAL-45',
    group,
    title: 'each object of a session takes 1 MiB of JSON, one byte more is too-large',
    needs: ['sessions.update', 'sessions.import'],
    async run({ store }) {
      const frame = Buffer.byteLength(JSON.stringify({ note: '' }))
      const full = { note: 'x'.repeat(1_048_576 - frame) }
      const over = { note: `${full.note}x` }
      await store.sessions.create({ id: 's', metadata: full, extensionData: full, modelConfig: full })
      const session = defined(await store.sessions.get('s'))
      assert.ok(
        JSON.stringify(session.metadata) === JSON.stringify(full),
        'the largest object came back otherwise',
      )
      for (const name of ['metadata', 'extensionData', 'modelConfig']) {
        const created = await rejects('too-large', 'sessions.create', () =>
          store.sessions.create({ [name]: over }),
        )
        assert.ok(created.message.startsWith(`session.${name} `), created.message)
        await rejects('too-large', 'sessions.update', () => store.sessions.update('s', { [name]: over }))
        await rejects('too-large', 'sessions.import', () => store.sessions.import({ [name]: over }, []))
      }
      assert.deepEqual(await store.sessions.get('s'), session)
    },
  },
]
