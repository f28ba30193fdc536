// What restore does when the store fails or rows are damaged: it reports and logs, and throws only where asked to.

import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { TurnWindow } from '../port/messages.ts'
import type { SessionStore } from '../port/store.ts'
import type { NewMessage } from '../types/message.ts'
import { type RestorePolicy, restoreConversation } from './conversation.ts'

/** A store whose `recentTurns` does just this. */
const storeOf = (recentTurns: () => Promise<TurnWindow>) =>
  ({ messages: { recentTurns } }) as unknown as Pick<SessionStore, 'messages'>

function logger() {
  const logged: [object, string][] = []
  const log = (fields: object, message: string) => {
    logged.push([fields, message])
  }
  return { logged, logger: { debug: log, info: log, warn: log, error: log } }
}

describe('a store that fails', () => {
  const busy = new StoreError('busy', 'locked', { operation: 'messages.recentTurns' })
  const failing = storeOf(() => Promise.reject(busy))

  test('is reported and logged, and the agent starts empty', async () => {
    const { logged, logger: log } = logger()
    expect(await restoreConversation(failing, 's1', { logger: log })).toEqual({
      found: false,
      messages: [],
      turns: 0,
      report: { dropped: 0, repaired: 0, interrupted: 0, reachedStart: true, damaged: 0 },
      error: busy,
    })
    expect(logged).toEqual([
      [{ sessionId: 's1', code: 'busy', operation: 'messages.recentTurns' }, 'restore is not complete'],
    ])
  })

  test('throws where that is asked for, with the operation', async () => {
    await expect(restoreConversation(failing, 's1', { onError: 'throw' })).rejects.toBe(busy)
    const unnamed = storeOf(() => Promise.reject(new StoreError('busy', 'locked')))
    await expect(restoreConversation(unnamed, 's1', { onError: 'throw' })).rejects.toMatchObject({
      code: 'busy',
      operation: 'restoreConversation',
    })
  })

  test('with an error that is no store’s, that is unknown', async () => {
    const cause = new TypeError('x is not a function')
    const answered = await restoreConversation(
      storeOf(() => Promise.reject(cause)),
      's1',
    )
    expect(answered.error).toMatchObject({
      code: 'unknown',
      message: 'TypeError: x is not a function',
      operation: 'restoreConversation',
    })
    expect(answered.error?.cause).toBe(cause)
  })

  test('at once, not by a promise, is reported too', async () => {
    const thrown = storeOf(() => {
      throw busy
    })
    expect((await restoreConversation(thrown, 's1')).error).toBe(busy)
  })

  test('because it is closed is reported', async () => {
    const store = createMemoryStore()
    await store.close()
    expect((await restoreConversation(store, 's1')).error).toMatchObject({
      code: 'closed',
      operation: 'messages.recentTurns',
    })
  })
})

describe('damaged rows', () => {
  /** Seven turns, seqs 1 to 14. */
  async function window(changes: Partial<TurnWindow>): Promise<TurnWindow> {
    const store = createMemoryStore()
    const turn: NewMessage[] = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ]
    await store.messages.append('s1', Array(7).fill(turn).flat(), { createSession: true })
    return { ...(await store.messages.recentTurns('s1', { turns: 7, mode: 'text' })), ...changes }
  }
  const damaged = [
    { seq: 14, reason: 'content is not JSON' },
    { seq: 13, reason: 'unknown role "x"' },
  ]

  test('are counted and told of, the rest is given', async () => {
    const { logged, logger: log } = logger()
    const answered = await restoreConversation(
      storeOf(() => window({ damaged })),
      's1',
      { logger: log },
    )
    expect(answered).toMatchObject({
      found: true,
      turns: 3,
      report: { damaged: 2 },
      error: {
        code: 'corrupt',
        message: '2 damaged rows, the first at seq 14: content is not JSON',
        operation: 'restoreConversation',
      },
    })
    expect(answered.messages).toHaveLength(6)
    expect(logged).toEqual([
      [{ sessionId: 's1', code: 'corrupt', operation: 'restoreConversation' }, 'restore is not complete'],
    ])
  })

  test('throw where that is asked for', async () => {
    await expect(
      restoreConversation(
        storeOf(() => window({ damaged })),
        's1',
        { onError: 'throw' },
      ),
    ).rejects.toMatchObject({ code: 'corrupt', operation: 'restoreConversation' })
  })

  test('of turns that are not given do not matter, but the summary’s does', async () => {
    const early = [{ seq: 2, reason: 'content is not JSON' }]
    const answered = await restoreConversation(
      storeOf(() => window({ damaged: early })),
      's1',
      { onError: 'throw' },
    )
    expect(answered).toMatchObject({ turns: 3, report: { damaged: 0 } })
    expect(answered.error).toBeUndefined()
    const { session } = await window({})
    const withSummary = session && { ...session, context: { startSeq: 1, summarySeq: 2 } }
    const summaryLost = storeOf(() =>
      window({ damaged: early, ...(withSummary && { session: withSummary }) }),
    )
    expect(await restoreConversation(summaryLost, 's1')).toMatchObject({ report: { damaged: 1 } })
  })
})

describe('a policy that is none is invalid, whatever onError says', () => {
  test.each<[unknown, string]>([
    [{ turns: 1.5 }, 'policy.turns: invalid input: expected int, received number'],
    [{ agentMaxTurns: 0 }, 'policy.agentMaxTurns: too small: expected number to be >=1'],
    [{ turns: 3, agentMaxTurns: 20 }, 'policy: takes one of turns, agentMaxTurns and maxTokens'],
    [{ onError: 'ignore' }, 'policy.onError: invalid option: expected one of "report"|"throw"'],
    [{ locale: 'fr' }, 'policy.locale: invalid option: expected one of "en"|"zh"'],
    [null, 'policy: invalid input: expected object, received null'],
  ])('%j', async (policy, message) => {
    await expect(
      restoreConversation(createMemoryStore(), 's1', policy as RestorePolicy),
    ).rejects.toMatchObject({
      code: 'invalid',
      message,
    })
  })
})
