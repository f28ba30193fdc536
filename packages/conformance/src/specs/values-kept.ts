// Values that come back as they went in, from every place a caller can put them.

import assert from 'node:assert/strict'
import type { SessionStore } from '@sess/core'
import { defined, sameValue } from '../assertions.ts'
import { assistant, readAll, text, user } from '../data.ts'
import { allValues, jsonValues, nested, numbers, strings } from '../fixtures/values.ts'
import type { Spec } from '../spec.ts'

const group = 'values'
const create = { createSession: true } as const

/** Stores each value in a tool_use input and compares what read gives. */
async function keepsAsInput(store: SessionStore, values: readonly unknown[]): Promise<void> {
  const blocks = values.map((input) => ({ type: 'tool_use', id: 't', name: 'n', input }))
  await store.messages.append(
    's',
    blocks.map((block) => assistant([block])),
    create,
  )
  const messages = await readAll(store, 's')
  for (const [index, block] of blocks.entries()) {
    sameValue(messages[index]?.content, [block], `input ${index}`)
  }
}

export const valueKeptSpecs: readonly Spec[] = [
  {
    id: 'VAL-01',
    group,
    title: 'every string comes back from a text block, code unit by code unit',
    async run({ store }) {
      await store.messages.append(
        's',
        strings.map((value) => user(value)),
        create,
      )
      const messages = await readAll(store, 's')
      for (const [index, value] of strings.entries()) {
        sameValue(messages[index]?.content, [text(value)], `string ${index}`)
      }
    },
  },
  {
    id: 'VAL-02',
    group,
    title: 'every string comes back from a tool input, as a value and as a key',
    async run({ store }) {
      await keepsAsInput(store, [...strings, ...strings.map((value) => ({ [value]: value }))])
    },
  },
  {
    id: 'VAL-03',
    group,
    title: 'every number comes back from a tool input',
    async run({ store }) {
      await keepsAsInput(store, [...numbers, numbers, { numbers }])
    },
  },
  {
    id: 'VAL-04',
    group,
    title: 'every JSON value comes back from a tool input, keys in their order',
    async run({ store }) {
      await keepsAsInput(store, [...jsonValues, jsonValues, { z: jsonValues, a: jsonValues }])
    },
  },
  {
    id: 'VAL-05',
    group,
    title: 'every value comes back from the metadata of a message',
    async run({ store }) {
      await store.messages.append(
        's',
        allValues.map((v) => user('q', { metadata: { v } })),
        create,
      )
      const messages = await readAll(store, 's')
      for (const [index, v] of allValues.entries())
        sameValue(messages[index]?.metadata, { v }, `value ${index}`)
    },
  },
  {
    id: 'VAL-06',
    group,
    title: 'every value comes back from metadata, extension data and model config of a session',
    needs: ['sessions.update', 'sessions.list'],
    async run({ store }) {
      for (const [index, v] of allValues.entries()) {
        const fields = { metadata: { v }, extensionData: { v }, modelConfig: { v } }
        const created = await store.sessions.create({ id: `${index}`, ...fields })
        const patched = await store.sessions.update(`${index}`, fields)
        const read = defined(await store.sessions.get(`${index}`))
        const listed = defined((await store.sessions.list({ limit: 1 })).items[0])
        for (const session of [created, patched, read, listed]) {
          sameValue(session.metadata, { v }, `metadata ${index}`)
          sameValue(session.extensionData, { v }, `extension data ${index}`)
          sameValue(session.modelConfig, { v }, `model config ${index}`)
        }
      }
    },
  },
  {
    id: 'VAL-07',
    group,
    title: 'receipt, read, get, window and import give the same value',
    needs: ['messages.get', 'messages.recentTurns', 'sessions.import'],
    async run({ store }) {
      const batch = allValues.map((v, index) =>
        user([{ type: 'x', v }], { id: `m${index}`, metadata: { v } }),
      )
      const receipt = await store.messages.append('s', batch, create)
      const window = await store.messages.recentTurns('s', { turns: batch.length })
      const imported = await store.sessions.import({}, batch)
      const again = await readAll(store, imported.session.id)
      for (const [index, { content, metadata }] of batch.entries()) {
        const single = await store.messages.get('s', `m${index}`)
        for (const found of [receipt.messages[index], single, window.messages[index], again[index]]) {
          sameValue(found?.content, content, `content ${index}`)
          sameValue(found?.metadata, metadata, `metadata ${index}`)
        }
      }
    },
  },
  {
    id: 'VAL-08',
    group,
    title: 'values nested 900 deep come back',
    needs: ['messages.get'],
    async run({ store }) {
      for (const input of [nested(900), nested(900, (a) => ({ a }))]) {
        const block = { type: 'tool_use', id: 't', name: 'n', input }
        const { messages } = await store.messages.append('s', [assistant([block])], create)
        const read = await store.messages.get('s', defined(messages[0]).id)
        assert.equal(JSON.stringify(read?.content), JSON.stringify([block]))
      }
    },
  },
  {
    id: 'VAL-09',
    group,
    title: 'a body of 10 MB comes back, or of what the store takes where that is less',
    needs: ['messages.get', 'messages.recentTurns'],
    async run({ store }) {
      const size = Math.min(10_000_000, store.capabilities.maxMessageBytes) - 100
      const body = `${'0123456789'.repeat(size / 10)}`.slice(0, size - 3).concat('字')
      await store.messages.append('s', [user(body, { id: 'large' }), user('after')], create)
      const found = [
        (await readAll(store, 's'))[0],
        await store.messages.get('s', 'large'),
        (await store.messages.recentTurns('s', { turns: 2, mode: 'text' })).messages[0],
      ]
      for (const message of found) {
        const block = message?.content[0] as { text?: string } | undefined
        assert.ok(block?.text === body, 'the body came back otherwise')
      }
    },
  },
]
