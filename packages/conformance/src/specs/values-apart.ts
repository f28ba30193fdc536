// What is stored is nobody's object: a caller may change what it gave as soon as it has called, and what it was answered
// at any time, and the store does not notice. Keys that mean something to JavaScript are data like any other.

import assert from 'node:assert/strict'
import type { NewMessage, SessionStore } from '@sess/core'
import { defined, sameValue } from '../assertions.ts'
import { ids, readAll, texts, user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'values'
const create = { createSession: true } as const
const special = (): { [key: string]: unknown } =>
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}')

/** Makes every object in a value another one: members are replaced, lists get an item. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) spoil(member)
  if (Array.isArray(value)) value.push('spoilt')
  else for (const key of Object.keys(value)) Object.assign(value, { [key]: 'spoilt' })
}

/** Calls with arguments that are spoilt before anything is awaited. */
function spoiling<Input extends unknown[], T>(
  call: (...input: Input) => Promise<T>,
  ...input: Input
): Promise<T> {
  const answer = call(...input)
  spoil(input)
  return answer
}

/** Writes of every kind whose arguments are changed at once, and what they come to. */
async function writeSpoilt({ sessions, messages }: Pick<SessionStore, 'sessions' | 'messages'>) {
  const answers = [
    spoiling(sessions.create, { id: 's', name: 'one', tags: ['b', 'a'], metadata: { deep: [1] } }),
    spoiling(messages.append, 's', [
      user([{ type: 'text', text: 'first' }], { id: 'm', metadata: { a: [1] } }),
    ]),
    spoiling(messages.append, 's', [user('second')], { operationId: 'op', expectedVersion: 2 }),
    spoiling(sessions.update, 's', { ifNameSource: ['user'], tags: ['c'], extensionData: { a: { b: 1 } } }),
  ]
  await Promise.all(answers)
}

async function assertWhole(store: Pick<SessionStore, 'sessions' | 'messages'>) {
  const session = defined(await store.sessions.get('s'))
  assert.deepEqual([session.name, session.tags, session.version], ['one', ['c'], 3])
  assert.deepEqual([session.metadata, session.extensionData], [{ deep: [1] }, { a: { b: 1 } }])
  const { items } = await store.messages.read('s')
  assert.deepEqual(texts(items), ['first', 'second'])
  assert.deepEqual([items[0]?.id, items[0]?.metadata], ['m', { a: [1] }])
}

export const valueApartSpecs: readonly Spec[] = [
  {
    id: 'VAL-50',
    group,
    title: 'what was given may be changed as soon as the method was called',
    needs: ['sessions.update'],
    async run({ store }) {
      await writeSpoilt(store)
      await assertWhole(store)
    },
  },
  {
    id: 'VAL-51',
    group,
    title: 'what was given may be changed while the call waits for a transaction',
    needs: ['sessions.update', 'transact'],
    async run({ store }) {
      const ending = Promise.withResolvers<void>()
      const transaction = store.transact(() => ending.promise)
      const writing = writeSpoilt(store)
      ending.resolve()
      await Promise.all([transaction, writing])
      await assertWhole(store)
    },
  },
  {
    id: 'VAL-52',
    group,
    title: 'what was given to an edit, a fork, an import or a compaction may be changed at once',
    needs: [
      ...(['sessions.fork', 'sessions.import', 'sessions.addUsage', 'messages.update'] as const),
      ...(['messages.replace', 'messages.compact', 'messages.remove'] as const),
    ],
    async run({ store: { sessions, messages } }) {
      const batch = (): NewMessage[] => [user('q', { id: 'a' }), user('r', { id: 'b', metadata: { a: [1] } })]
      await spoiling(sessions.import, { id: 's', metadata: { a: [1] } }, batch())
      await spoiling(messages.update, 's', 'a', { content: [{ type: 'text', text: 'edited' }] })
      await spoiling(sessions.addUsage, 's', { input: 5, model: 'm' })
      const fork = await spoiling(sessions.fork, 's', { id: 'fork', name: 'copy', atSeq: 1 })
      await spoiling(messages.compact, 's', {
        throughSeq: 1,
        summary: user([{ type: 'text', text: 'so far' }]),
      })
      assert.equal(await spoiling(messages.remove, 's', ['b']), 1)
      assert.deepEqual([fork.id, fork.name, fork.nextSeq], ['fork', 'copy', 2])
      assert.deepEqual(texts((await messages.read('s')).items), ['edited', 'so far'])
      const { metadata, tokenCounts } = defined(await sessions.get('s'))
      assert.deepEqual([metadata, tokenCounts.last], [{ a: [1] }, { input: 5 }])
      await spoiling(messages.replace, 's', batch())
      assert.deepEqual(texts((await messages.read('s')).items), ['q', 'r'])
    },
  },
  {
    id: 'VAL-53',
    group,
    title: 'what was answered may be changed, and the next answer is as it was',
    needs: ['sessions.list', 'messages.get', 'messages.recentTurns'],
    async run({ store }) {
      const options = {
        createSession: { tags: ['a'], metadata: { deep: [1] }, modelConfig: { a: { b: 1 } } },
      }
      const receipt = await store.messages.append(
        's',
        [user('q', { id: 'm', metadata: { a: [1] } })],
        options,
      )
      const look = async () => [
        await store.sessions.get('s'),
        await store.sessions.list(),
        await store.messages.read('s'),
        await store.messages.get('s', 'm'),
        await store.messages.recentTurns('s', { turns: 1 }),
      ]
      const before = JSON.stringify(await look())
      spoil(receipt)
      spoil(await look())
      assert.equal(JSON.stringify(await look()), before)
    },
  },
  {
    id: 'VAL-54',
    group,
    title: 'a query may be changed once it was given: its cursor goes on with what it was',
    needs: ['sessions.list'],
    async run({ store }) {
      const query = () => ({ tags: ['a'], metadata: { k: 1 }, types: ['user' as const], limit: 1 })
      for (const id of ['one', 'two']) await store.sessions.create({ id, tags: ['a'], metadata: { k: 1 } })
      await store.sessions.create({ id: 'other' })
      const first = await spoiling(store.sessions.list, query())
      const cursor = defined(first.nextCursor)
      const second = await spoiling(store.sessions.list, { ...query(), cursor })
      assert.deepEqual(
        [...ids(first.items), ...ids(second.items), second.nextCursor],
        ['two', 'one', undefined],
      )
    },
  },
  {
    id: 'VAL-55',
    group,
    title: 'keys like __proto__ and constructor are data wherever any key may stand, and pollute nothing',
    needs: ['sessions.update', 'sessions.list', 'sessions.fork', 'messages.update'],
    async run({ store: { sessions, messages }, store }) {
      const fields = { metadata: special(), extensionData: special(), modelConfig: special() }
      const content = [{ type: 'tool_use', id: 't', name: 'n', input: special() }]
      await messages.append('s', [{ role: 'assistant', content, metadata: special() }], {
        createSession: fields,
      })
      const [message] = await readAll(store, 's')
      sameValue(message?.metadata, special(), 'metadata of the message')
      sameValue(message?.content, content, 'content')
      await messages.update('s', defined(message).id, { metadata: special() })
      sameValue((await readAll(store, 's'))[0]?.metadata, special(), 'metadata once it was updated')
      await sessions.update('s', fields)
      for (const session of [await sessions.get('s'), await sessions.fork('s')]) {
        sameValue(session?.metadata, special(), 'metadata')
        sameValue(session?.extensionData, special(), 'extensionData')
        sameValue(session?.modelConfig, special(), 'modelConfig')
      }
      await sessions.create({ id: 'plain', metadata: JSON.parse('{"__proto__":"x"}') })
      const found = await sessions.list({ metadata: JSON.parse('{"__proto__":"x"}') })
      assert.deepEqual(ids(found.items), ['plain'])
      assert.deepEqual((await sessions.list({ metadata: { constructor: 'x' } as never })).items, [])
      assert.equal(({} as { polluted?: unknown }).polluted, undefined)
    },
  },
  {
    id: 'VAL-56',
    group,
    title: 'ids like __proto__ and constructor are ids like any other',
    needs: ['messages.get'],
    async run({ store }) {
      for (const id of ['__proto__', 'constructor', 'toString']) {
        assert.equal(await store.sessions.get(id), undefined)
        assert.equal(await store.messages.get('s', id), undefined)
        await store.messages.append(id, [user('q', { id })], create)
        assert.deepEqual(
          [(await store.sessions.get(id))?.id, (await store.messages.get(id, id))?.id],
          [id, id],
        )
      }
    },
  },
]
