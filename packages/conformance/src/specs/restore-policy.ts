// Restore over a store: how many turns come back, and what is told when something does not.

import assert from 'node:assert/strict'
import { isStoreError, restoreConversation, restoreWindow, type SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { assistant, image, readAll, text, texts, turns, upTo, user } from '../data.ts'
import { defaultLimit, scheduledIds, windows } from '../fixtures/restore-window.ts'
import { restoreCases } from '../fixtures/text-restore.ts'
import type { Spec } from '../spec.ts'

const group = 'turns'
const needs = ['messages.recentTurns'] as const
const create = { createSession: true } as const

/** Asserts that exactly the latest `count` of 25 turns come back. */
async function restoresLatest(store: SessionStore, id: string, limit: number | undefined, count: number) {
  const policy = limit === undefined ? {} : { agentMaxTurns: limit }
  const restored = await restoreConversation(store, id, policy)
  const expected = upTo(25)
    .slice(-count)
    .flatMap((number) => [`q${number}`, `a${number}`])
  assert.deepEqual(texts(restored.messages), expected)
  assert.deepEqual([restored.turns, restored.report.truncatedBy], [count, 'turns'])
}

export const restorePolicySpecs: readonly Spec[] = [
  {
    id: 'TRN-80',
    group,
    title: 'a session gets back the window of its type, however long it is',
    needs,
    async run({ store }) {
      for (const type of ['scheduled', 'user', 'hidden', 'sub_agent'] as const) {
        await store.messages.append(type, turns(25), { createSession: { type } })
      }
      for (const { agentMaxTurns, scheduled, other } of windows) {
        assert.equal(restoreWindow(agentMaxTurns, { id: 'x', type: 'scheduled' }), scheduled)
        assert.equal(restoreWindow(agentMaxTurns, { id: 'x', type: 'user' }), other)
        await restoresLatest(store, 'scheduled', agentMaxTurns, scheduled)
        for (const id of ['user', 'hidden', 'sub_agent'])
          await restoresLatest(store, id, agentMaxTurns, other)
      }
    },
  },
  {
    id: 'TRN-81',
    group,
    title: 'a session is a scheduler’s by its type or by an id that begins with scheduler_',
    needs,
    async run({ another }) {
      const standard = windows.find(({ agentMaxTurns }) => agentMaxTurns === defaultLimit)
      for (const { id, type, scheduled } of scheduledIds) {
        const store = await another()
        await store.messages.append(id, turns(25), { createSession: { type } })
        const count = (scheduled ? standard?.scheduled : standard?.other) ?? 0
        await restoresLatest(store, id, undefined, count)
        await restoresLatest(store, id, 36, scheduled ? 7 : 6)
        assert.equal(restoreWindow(36, { id, type }), scheduled ? 7 : 6)
      }
    },
  },
  {
    id: 'TRN-82',
    group,
    title: 'turns asked for are given exactly, and the report says what kept the others out',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(4), create)
      const report = { dropped: 0, repaired: 0, interrupted: 0, damaged: 0 }
      const two = await restoreConversation(store, 's', { turns: 2 })
      assert.deepEqual(texts(two.messages), ['q3', 'a3', 'q4', 'a4'])
      assert.deepEqual(two.report, { ...report, reachedStart: false, truncatedBy: 'turns' })
      for (const count of [4, 5]) {
        const all = await restoreConversation(store, 's', { turns: count })
        assert.deepEqual([all.messages.length, all.turns], [8, 4])
        assert.deepEqual(all.report, { ...report, reachedStart: true })
      }
      const none = await restoreConversation(store, 's', { turns: 0 })
      assert.deepEqual([none.found, none.messages, none.turns], [true, [], 0])
    },
  },
  {
    id: 'TRN-83',
    group,
    title: 'the report counts only what the window holds',
    needs,
    async run({ store }) {
      const cut = [user('q'), assistant([text('wait'), { type: 'tool_use', id: 't', name: 'n', input: {} }])]
      await store.messages.append('s', [assistant('stray'), ...cut, ...turns(5)], create)
      const few = await restoreConversation(store, 's')
      assert.deepEqual([few.turns, few.report.interrupted, few.report.dropped], [3, 0, 0])
      const all = await restoreConversation(store, 's', { turns: 100 })
      assert.deepEqual([all.turns, all.report.interrupted, all.report.dropped], [6, 1, 1])
    },
  },
  {
    id: 'TRN-84',
    group,
    title: 'a missing session is not found and no error',
    needs,
    async run({ store }) {
      const restored = await restoreConversation(store, 'unknown', { onError: 'throw' })
      assert.deepEqual([restored.found, restored.messages, restored.turns], [false, [], 0])
      assert.equal('error' in restored, false)
    },
  },
  {
    id: 'TRN-85',
    group,
    title: 'a session in the trash is restored as before',
    needs: ['messages.recentTurns', 'sessions.remove'],
    async run({ store }) {
      await store.messages.append('s', turns(2), create)
      const before = await restoreConversation(store, 's')
      await store.sessions.remove('s')
      assert.deepEqual(await restoreConversation(store, 's'), before)
    },
  },
  {
    id: 'TRN-86',
    group,
    title: 'placeholders follow the locale asked for',
    needs,
    async run({ store }) {
      const kinds = [image(), { type: 'document', source: {} }, { type: 'input_audio' }]
      await store.messages.append(
        's',
        kinds.flatMap((block) => [user([block]), assistant('a')]),
        create,
      )
      const questions = async (locale: 'en' | 'zh') => {
        const { messages } = await restoreConversation(store, 's', { locale })
        return texts(messages.filter(({ role }) => role === 'user'))
      }
      assert.deepEqual(await questions('en'), ['[image]', '[document]', '[input_audio]'])
      assert.deepEqual(await questions('zh'), ['[图片]', '[文档]', '[input_audio]'])
    },
  },
  {
    id: 'TRN-87',
    group,
    title: 'a policy that is none is invalid',
    async run({ store }) {
      const wrong: object[] = [
        { turns: 3, agentMaxTurns: 20 },
        { turns: 1.5 },
        { agentMaxTurns: 0 },
        { mode: 'short' },
        { locale: 'xx' },
        { onError: 'ignore' },
      ]
      for (const policy of wrong) {
        const invalid = (error: unknown) => isStoreError(error) && error.code === 'invalid'
        await assert.rejects(restoreConversation(store, 's', policy), invalid)
      }
    },
  },
  {
    id: 'TRN-88',
    group,
    title: 'restoring changes nothing that is stored',
    needs,
    async run({ store, clock }) {
      const batch = restoreCases.flatMap(({ messages }) => messages)
      await store.messages.append('s', batch, create)
      const rows = await readAll(store, 's')
      const session = await store.sessions.get('s')
      clock.advance(10)
      await restoreConversation(store, 's')
      assert.deepEqual(await readAll(store, 's'), rows)
      assert.deepEqual(await store.sessions.get('s'), session)
    },
  },
  {
    id: 'TRN-89',
    group,
    title: 'what is restored begins with user, alternates, and holds one text block a message',
    needs,
    async run({ store }) {
      const batch = restoreCases.flatMap(({ messages }) => messages)
      await store.messages.append('s', batch, create)
      for (const count of upTo(30)) {
        const { messages } = await restoreConversation(store, 's', { turns: count })
        assert.ok(messages.length > 0)
        for (const [index, { role, content }] of messages.entries()) {
          assert.equal(role, index % 2 === 0 ? 'user' : 'assistant')
          assert.deepEqual(
            content.map(({ type }) => type),
            ['text'],
          )
        }
      }
    },
  },
  {
    id: 'TRN-90',
    group,
    title: 'a store that fails is reported and logged, or thrown where that is asked for',
    needs,
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      await store.close()
      const told: object[] = []
      const warn = (fields: object) => void told.push(fields)
      const logger = { debug: warn, info: warn, warn, error: warn }
      const restored = await restoreConversation(store, 's', { logger })
      assert.deepEqual([restored.found, restored.messages, restored.turns], [false, [], 0])
      assert.equal(restored.error?.code, 'closed')
      const { reachedStart: _, ...counts } = restored.report
      assert.deepEqual(counts, { dropped: 0, repaired: 0, interrupted: 0, damaged: 0 })
      assert.equal(told.length, 1)
      await rejects('closed', 'messages.recentTurns', () =>
        restoreConversation(store, 's', { onError: 'throw' }),
      )
    },
  },
  {
    id: 'TRN-91',
    group,
    title: 'of a damaged session the readable part comes back, with the reason',
    needs,
    needsHandle: ['damage'],
    async run({ store, damage }) {
      const batch = turns(3).map((message, index) => ({ ...message, id: `m${index + 1}` }))
      await store.messages.append('s', batch, create)
      await damage({ sessionId: 's', messageId: 'm4' })
      const restored = await restoreConversation(store, 's')
      assert.deepEqual(texts(restored.messages), ['q1', 'a1', 'q2\n\nq3', 'a3'])
      assert.deepEqual([restored.report.damaged, restored.error?.code], [1, 'corrupt'])
      await rejects('corrupt', 'restoreConversation', () =>
        restoreConversation(store, 's', { onError: 'throw' }),
      )
      const { damaged } = await store.messages.recentTurns('s', { turns: 3 })
      assert.deepEqual(
        damaged?.map(({ seq }) => seq),
        [4],
      )
    },
  },
  {
    id: 'TRN-92',
    group,
    title: 'of damaged rows those within the turns that are given are told of',
    needs,
    needsHandle: ['damage'],
    async run({ store, damage }) {
      const batch = turns(4).map((message, index) => ({ ...message, id: `m${index + 1}` }))
      await store.messages.append('s', batch, create)
      await damage({ sessionId: 's', messageId: 'm2' })
      const restored = await restoreConversation(store, 's', { onError: 'throw' })
      assert.deepEqual([restored.turns, restored.report.damaged], [3, 0])
      await damage({ sessionId: 's', messageId: 'm6' })
      const { report } = await restoreConversation(store, 's')
      assert.equal(report.damaged, 1)
    },
  },
]
