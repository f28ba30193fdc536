// Compaction beside other work: what was summarized must still be there when the summary is stored.

import { describe, expect, test } from 'vitest'
import { isStoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { SessionStore } from '../port/store.ts'
import { recoverConversation } from '../recovery/recover.ts'
import { restoreConversation } from '../restore/conversation.ts'
import type { NewMessage } from '../types/message.ts'
import { type CompactOptions, compactConversation } from './compact.ts'

async function storeOf(turns: number) {
  const store = createMemoryStore()
  for (let turn = 1; turn <= turns; turn++) {
    const messages: NewMessage[] = [
      { id: `q${turn}`, role: 'user', content: `q${turn}` },
      { id: `t${turn}`, role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
      { id: `a${turn}`, role: 'assistant', content: `a${turn}` },
    ]
    await store.messages.append('s', messages, { createSession: true })
  }
  return store
}

/** Compacts while `meanwhile` happens. */
async function compacting(
  store: SessionStore,
  meanwhile: (store: SessionStore) => Promise<unknown>,
  options: Partial<CompactOptions> = {},
) {
  const summarize = async () => {
    await meanwhile(store)
    return 'S'
  }
  return compactConversation(store, 's', { summarize, ...options }).catch((error: unknown) => {
    if (!isStoreError(error)) throw error
    return [error.code, error.retryable, error.operation]
  })
}

const conflict = ['conflict', true, 'compactConversation']

describe('while the summary is made', () => {
  test.each<[string, (store: SessionStore) => Promise<unknown>]>([
    ['clear', (store) => store.messages.clear('s')],
    ['replace', (store) => store.messages.replace('s', [{ role: 'user', content: 'new' }])],
    ['truncate', (store) => store.messages.truncate('s', { fromMessageId: 'a1' })],
    ['remove', (store) => store.messages.remove('s', ['q2'])],
    ['edit', (store) => store.messages.update('s', 'a1', { content: 'other' })],
    ['rewind', (store) => store.sessions.rewind('s', { toMessageId: 'q1' })],
    ['reset', (store) => store.sessions.resetContext('s')],
    ['compact', (store) => compacting(store, async () => {})],
    ['compact through less', (store) => compacting(store, async () => {}, { keepTurns: 2 })],
  ])('a %s of what it is made of is a conflict, and nothing is stored', async (_name, meanwhile) => {
    const store = await storeOf(3)
    const other = await storeOf(3)
    await meanwhile(other)
    expect(await compacting(store, meanwhile)).toEqual(conflict)
    const shown = async (one: SessionStore) => {
      const { messages } = await restoreConversation(one, 's', { turns: 9 })
      const session = await one.sessions.get('s')
      return [messages, session?.messageCount, session?.context]
    }
    expect(await shown(store)).toEqual(await shown(other))
  })

  test.each<[string, (store: SessionStore) => Promise<unknown>]>([
    ['an append', (store) => store.messages.append('s', [{ role: 'user', content: 'q4' }])],
    ['an edit of what stays', (store) => store.messages.update('s', 'a3', { content: 'other' })],
    ['a truncation of what stays', (store) => store.messages.truncate('s', { fromMessageId: 'a3' })],
    ['usage', (store) => store.sessions.addUsage('s', { input: 1 })],
    ['a rename', (store) => store.sessions.update('s', { name: 'x' })],
  ])('%s changes nothing of it', async (_name, meanwhile) => {
    const store = await storeOf(3)
    expect(await compacting(store, meanwhile)).toMatchObject({ messages: [{ content: [{ text: 'S' }] }] })
    expect((await store.sessions.get('s'))?.context.startSeq).toBe(7)
  })

  test('in full mode a change of a call counts, in text mode it does not', async () => {
    const meanwhile = (store: SessionStore) => store.messages.remove('s', ['t1'])
    expect(await compacting(await storeOf(3), meanwhile, { mode: 'full' })).toEqual(conflict)
    expect(await compacting(await storeOf(3), meanwhile)).toMatchObject({ messages: [{}] })
  })

  test.each([true, false])('a session that goes (purged: %j) is not found', async (purge) => {
    const store = await storeOf(3)
    const gone = await compacting(store, () => store.sessions.remove('s', { purge }))
    expect(gone).toEqual(['not-found', false, 'messages.compact'])
  })

  test('appends between the last look and the write are looked at again', async () => {
    const store = await storeOf(3)
    let left = 3
    const compact: typeof store.messages.compact = async (...given) => {
      if (left-- > 0) await store.messages.append('s', [{ role: 'user', content: `late ${left}` }])
      return store.messages.compact(...given)
    }
    const racing = { ...store, messages: { ...store.messages, compact } }
    expect(await compacting(racing, async () => {})).toMatchObject({ firstSeq: 13 })
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 7, summarySeq: 13 })
  })

  test('a recovery takes the next step', async () => {
    const store = await storeOf(4)
    const summarize = async () => {
      await store.messages.remove('s', ['q1'])
      return 'S'
    }
    const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
    const restore = { turns: 4 }
    expect(await recoverConversation(store, 's', overflow, { summarize, restore })).toMatchObject({
      done: 'narrow',
    })
    const strategy = 'compact' as const
    await expect(
      recoverConversation(await storeOf(4), 's', overflow, {
        strategy,
        summarize: async () => 5 as never,
      }),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: 'options.summarize answered number, which is no text',
    })
  })
})

describe('what there is nothing of', () => {
  test('a summary alone is not summarized again', async () => {
    const store = await storeOf(2)
    expect(await compacting(store, async () => {}, { keepTurns: 0 })).toMatchObject({ messages: [{}] })
    const before = await store.sessions.get('s')
    expect(await compacting(store, async () => {}, { keepTurns: 0 })).toBeUndefined()
    expect(await compacting(store, async () => {}, { keepTurns: 0, mode: 'full' })).toBeUndefined()
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('what follows it is', async () => {
    const store = await storeOf(2)
    await compacting(store, async () => {}, { keepTurns: 0 })
    await store.messages.append('s', [{ role: 'assistant', content: 'late' }])
    expect(await compacting(store, async () => {}, { keepTurns: 0 })).toMatchObject({ messages: [{}] })
  })

  test('beforeSeq leaves what is behind it', async () => {
    const store = await storeOf(3)
    await compacting(store, async () => {}, { keepTurns: 0, beforeSeq: 4 })
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 4, summarySeq: 10 })
    expect(await compacting(store, async () => {}, { keepTurns: 0, beforeSeq: 4 })).toBeUndefined()
  })
})

test('damaged rows that a summary stands for are told', async () => {
  const store = await storeOf(3)
  const damaged = [{ seq: 2, reason: 'content_json is no JSON' }]
  const recentTurns: typeof store.messages.recentTurns = async (id, options) => {
    const window = await store.messages.recentTurns(id, options)
    return { ...window, messages: window.messages.filter(({ seq }) => seq !== 2), damaged }
  }
  const broken = { ...store, messages: { ...store.messages, recentTurns } }
  const told: unknown[] = []
  const quiet = () => {}
  const logger = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (...given: unknown[]) => void told.push(given),
  }
  expect(await compacting(broken, async () => {}, { logger })).toMatchObject({ messages: [{}], damaged })
  expect(told).toEqual([
    [
      { sessionId: 's', operation: 'compactConversation', code: 'corrupt', rows: 1 },
      'a summary stands for damaged rows',
    ],
  ])
})
