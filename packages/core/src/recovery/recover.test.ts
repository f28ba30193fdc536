import { describe, expect, test } from 'vitest'
import { StoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import { restoreConversation } from '../restore/conversation.ts'
import { type RecoverOptions, recoverConversation } from './recover.ts'

const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
const invalid = new Error(
  '400 messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01',
)

/** Turns with a tool call each; the last call has no result. */
async function storeOf(turns: number) {
  const store = createMemoryStore()
  for (let turn = 1; turn <= turns; turn++) {
    await store.messages.append(
      's',
      [
        { role: 'user', content: `q${turn}` },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
        ...(turn < turns ? [{ role: 'assistant' as const, content: `a${turn}` }] : []),
      ],
      { createSession: true },
    )
  }
  return store
}

async function textsOf(store: Awaited<ReturnType<typeof storeOf>>, restore = {}) {
  const { messages } = await restoreConversation(store, 's', restore)
  return messages.map(({ role, content }) => `${role}: ${(content[0] as { text: string }).text}`)
}

describe('recoverConversation', () => {
  test('does nothing for an error that says nothing of the conversation, whatever the strategy', async () => {
    const store = await storeOf(2)
    const before = await store.sessions.get('s')
    for (const strategy of [undefined, 'clear', 'reset-context', 'compact'] as const) {
      const error = Object.assign(new Error('400 Bad Request'), { status: 400 })
      const options: RecoverOptions = strategy === undefined ? {} : { strategy }
      expect(await recoverConversation(store, 's', error, options)).toEqual({ kind: 'other', done: 'none' })
    }
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('an overflow is compacted where there is a summarizer', async () => {
    const store = await storeOf(3)
    const restore = { turns: 3 }
    const recovery = await recoverConversation(store, 's', overflow, { restore, summarize: async () => 'S' })
    expect(recovery).toEqual({ kind: 'context-overflow', done: 'compact', restore })
    expect(await textsOf(store, restore)).toEqual(['user: S\n\nq3'])
    expect((await store.messages.read('s')).items).toHaveLength(9)
  })

  test('an overflow without one is narrowed: half the turns, half the tokens, nothing stored', async () => {
    const store = await storeOf(9)
    const before = await store.sessions.get('s')
    const narrow = async (restore: object) =>
      (await recoverConversation(store, 's', overflow, { restore })).restore
    expect(await narrow({ turns: 5, mode: 'full' })).toEqual({ turns: 2, mode: 'full' })
    expect(await narrow({ turns: 100 })).toEqual({ turns: 4 })
    expect(await narrow({})).toEqual({ turns: 1 })
    expect(await narrow({ agentMaxTurns: 48 })).toEqual({ turns: 4 })
    // Two texts a turn, one token each: 17 are there.
    expect(await narrow({ maxTokens: 1001 })).toEqual({ maxTokens: 8 })
    expect(await narrow({ maxTokens: 9 })).toEqual({ maxTokens: 4 })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test('an overflow of one turn resets the context: nothing is deleted', async () => {
    const store = await storeOf(2)
    const recovery = await recoverConversation(store, 's', overflow, { restore: { turns: 1 } })
    expect(recovery.done).toBe('reset-context')
    expect(await textsOf(store)).toEqual([])
    expect((await store.messages.read('s')).items).toHaveLength(5)
  })

  test('a summarizer that fails is logged without its text, and the next strategy is taken', async () => {
    const store = await storeOf(4)
    const told: object[] = []
    const quiet = () => {}
    const logger = {
      debug: quiet,
      info: quiet,
      error: quiet,
      warn: (fields: object) => void told.push(fields),
    }
    const summarize = () => Promise.reject(new Error('no model'))
    const recovery = await recoverConversation(store, 's', overflow, {
      summarize,
      logger,
      restore: { turns: 4 },
    })
    expect(recovery.done).toBe('narrow')
    expect(told).toEqual([{ sessionId: 's', strategy: 'compact', reason: 'Error: no model' }])
  })

  test('invalid messages are repaired: their texts stand for them, nothing is deleted', async () => {
    const store = await storeOf(2)
    const recovery = await recoverConversation(store, 's', invalid, { restore: { mode: 'full', turns: 5 } })
    expect([recovery.kind, recovery.done]).toEqual(['invalid-messages', 'repair'])
    const { messages } = await restoreConversation(store, 's', { mode: 'full' })
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'User: q1\n\nAssistant: a1\n\nUser: q2' }] },
    ])
    expect((await store.messages.read('s')).items).toHaveLength(6)
  })

  test('a repair that did not help is followed by a reset', async () => {
    const store = await storeOf(2)
    await recoverConversation(store, 's', invalid)
    expect((await recoverConversation(store, 's', invalid)).done).toBe('reset-context')
    expect(await textsOf(store)).toEqual([])
    expect((await store.messages.read('s')).items).toHaveLength(6)
  })

  test('the transcript speaks the locale', async () => {
    const store = await storeOf(1)
    await recoverConversation(store, 's', invalid, { restore: { locale: 'zh' } })
    expect(await textsOf(store)).toEqual(['user: 用户: q1'])
  })

  test('clear deletes only where it is asked for', async () => {
    const store = await storeOf(2)
    expect((await recoverConversation(store, 's', invalid, { strategy: 'clear' })).done).toBe('clear')
    expect((await store.messages.read('s')).items).toEqual([])
  })

  test('a given strategy that cannot be taken is unsupported, and a failure of its comes out', async () => {
    const store = await storeOf(3)
    await expect(recoverConversation(store, 's', overflow, { strategy: 'compact' })).rejects.toMatchObject({
      code: 'unsupported',
      operation: 'recoverConversation',
    })
    const failure = new Error('no model')
    const summarize = () => Promise.reject(failure)
    const failing = recoverConversation(store, 's', overflow, { strategy: 'compact', summarize })
    await expect(failing).rejects.toBe(failure)
  })

  test('an unknown session is left to what can be done: nothing', async () => {
    expect(await recoverConversation(createMemoryStore(), 'none', invalid)).toEqual({
      kind: 'invalid-messages',
      done: 'none',
    })
  })

  test('a store that fails while it is read is not reset', async () => {
    const store = await storeOf(2)
    const broken = {
      ...store,
      messages: { ...store.messages, recentTurns: () => Promise.reject(new StoreError('busy', 'locked')) },
    }
    await expect(recoverConversation(broken, 's', invalid)).rejects.toMatchObject({ code: 'busy' })
    expect((await store.sessions.get('s'))?.context).toEqual({ startSeq: 1 })
  })

  test('the newest question is in the transcript, also where the policy looked at what was before it', async () => {
    const store = await storeOf(2)
    await recoverConversation(store, 's', invalid, { restore: { beforeSeq: 4 } })
    expect(await textsOf(store)).toEqual(['user: User: q1\n\nAssistant: a1\n\nUser: q2'])
  })
})
