// What every write has in common: how it counts in `version` and `changeSeq`, and where it is refused.

import assert from 'node:assert/strict'
import { defined, rejects } from '../assertions.ts'
import { turns, user } from '../data.ts'
import type { PortMethod } from '../methods.ts'
import type { Spec, SpecContext } from '../spec.ts'

const group = 'edits'
const create = { createSession: true } as const
const needs = [
  'sessions.update',
  'sessions.addUsage',
  'sessions.resetContext',
  'sessions.rewind',
  'messages.update',
  'messages.remove',
  'messages.replace',
  'messages.compact',
  'messages.truncate',
  'messages.clear',
] as const

type Write = readonly [
  method: PortMethod,
  call: (store: SpecContext['store'], id: string) => Promise<unknown>,
]

/** Each changes the conversation of a session that holds messages `m1` to `m6`, from one on to the next. */
const conversationWrites: readonly Write[] = [
  ['messages.append', (store, id) => store.messages.append(id, turns(2))],
  ['messages.update', (store, id) => store.messages.update(id, 'm1', { content: 'x' })],
  ['messages.remove', (store, id) => store.messages.remove(id, ['m1', 'm2'])],
  ['messages.compact', (store, id) => store.messages.compact(id, { throughSeq: 3, summary: user('so far') })],
  ['sessions.rewind', (store, id) => store.sessions.rewind(id, { toSeq: 9 })],
  ['messages.truncate', (store, id) => store.messages.truncate(id, { fromSeq: 8 })],
  ['sessions.resetContext', (store, id) => store.sessions.resetContext(id)],
  ['messages.replace', (store, id) => store.messages.replace(id, turns(1))],
  ['messages.clear', (store, id) => store.messages.clear(id)],
]

/** Each changes something else of the session. */
const otherWrites: readonly Write[] = [
  ['sessions.update', (store, id) => store.sessions.update(id, { name: 'n' })],
  ['sessions.update', (store, id) => store.sessions.update(id, { tags: ['t'] })],
  ['sessions.update', (store, id) => store.sessions.update(id, { metadata: { a: 1 } })],
  ['sessions.update', (store, id) => store.sessions.update(id, { pinned: true, archived: true })],
  ['sessions.addUsage', (store, id) => store.sessions.addUsage(id, { input: 1 })],
]

const six = turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` }))

export const editVersionSpecs: readonly Spec[] = [
  {
    id: 'EDT-70',
    group,
    title:
      'each change of the conversation adds one to version, no other change touches it, all grow changeSeq',
    needs,
    async run({ store }) {
      await store.messages.append('s', six, create)
      let before = defined(await store.sessions.get('s'))
      for (const [writes, step] of [
        [conversationWrites, 1],
        [otherWrites, 0],
      ] as const) {
        for (const [method, call] of writes) {
          await call(store, 's')
          const after = defined(await store.sessions.get('s'))
          assert.equal(after.version, before.version + step, method)
          assert.ok(after.changeSeq > before.changeSeq, `${method} leaves changeSeq at ${after.changeSeq}`)
          before = after
        }
      }
    },
  },
  {
    id: 'EDT-71',
    group,
    title: 'every write to a session in the trash is not-found and changes nothing there',
    needs: [...needs, 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('s', six, create)
      await store.sessions.remove('s')
      const trashed = await store.sessions.get('s')
      for (const [method, call] of [...conversationWrites, ...otherWrites]) {
        await rejects('not-found', method, () => call(store, 's'))
      }
      assert.deepEqual(await store.sessions.get('s'), trashed)
    },
  },
  {
    id: 'EDT-72',
    group,
    title:
      'every write to an unknown session is not-found and makes none, one to an impossible id is invalid',
    needs,
    async run({ store }) {
      for (const [method, call] of [...conversationWrites, ...otherWrites]) {
        await rejects('not-found', method, () => call(store, 'unknown'))
        for (const id of ['', '.', '..', 'a\u0000', 'x'.repeat(257)]) {
          await rejects('invalid', method, () => call(store, id))
        }
      }
      assert.equal(await store.sessions.get('unknown'), undefined)
    },
  },
]
