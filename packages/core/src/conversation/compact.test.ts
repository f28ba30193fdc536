import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { restoreConversation } from '../restore/conversation.ts'
import type { RestoredMessage } from '../types/message.ts'
import { compactConversation } from './compact.ts'

async function storeOf(turns: number) {
  const store = createMemoryStore()
  for (let turn = 1; turn <= turns; turn++) {
    await store.messages.append(
      's',
      [
        { role: 'user', content: `q${turn}` },
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${turn}`, name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: 'ok' }] },
        { role: 'assistant', content: `a${turn}` },
      ],
      { createSession: true },
    )
  }
  return store
}

const texts = (messages: readonly RestoredMessage[]) =>
  messages.map(({ content }) => content.map((block) => (block as { text?: string }).text).join('|'))

/** A model that says what it was given. */
function createSummarizer() {
  const given: RestoredMessage[][] = []
  const summarize = async (messages: readonly RestoredMessage[]) => {
    given.push([...messages])
    return ` summary ${given.length} `
  }
  return { given, summarize }
}

describe('compactConversation', () => {
  test('summarizes what is before the latest turns, cut where a turn begins; people still see all of it', async () => {
    const store = await storeOf(3)
    const { given, summarize } = createSummarizer()
    const receipt = await compactConversation(store, 's', { summarize, keepTurns: 1 })
    expect(given.map(texts)).toEqual([['q1', 'a1', 'q2', 'a2']])
    expect(receipt?.messages[0]).toMatchObject({
      seq: 13,
      role: 'user',
      content: [{ type: 'text', text: 'summary 1' }],
      metadata: { summary: { fromSeq: 1, throughSeq: 8, line: [] } },
    })
    expect((await store.messages.read('s')).items).toHaveLength(13)
    expect(texts((await restoreConversation(store, 's')).messages)).toEqual(['summary 1\n\nq3', 'a3'])
  })

  test('a second one builds on the first', async () => {
    const store = await storeOf(3)
    const { given, summarize } = createSummarizer()
    await compactConversation(store, 's', { summarize })
    await store.messages.append('s', [
      { role: 'user', content: 'q4' },
      { role: 'assistant', content: 'a4' },
    ])
    await compactConversation(store, 's', { summarize })
    expect(given.map(texts)[1]).toEqual(['summary 1\n\nq3', 'a3'])
    expect(texts((await restoreConversation(store, 's')).messages)).toEqual(['summary 2\n\nq4', 'a4'])
  })

  test('with keepTurns 0 summarizes everything', async () => {
    const store = await storeOf(1)
    const { summarize } = createSummarizer()
    await compactConversation(store, 's', { summarize, keepTurns: 0 })
    expect(texts((await restoreConversation(store, 's')).messages)).toEqual(['summary 1'])
  })

  test('in full mode gives calls and results to the summarizer', async () => {
    const store = await storeOf(2)
    const { given, summarize } = createSummarizer()
    await compactConversation(store, 's', { summarize, mode: 'full' })
    expect(given[0]?.map(({ content }) => content.map(({ type }) => type).join())).toEqual([
      'text',
      'tool_use',
      'tool_result',
      'text',
    ])
  })

  test('has nothing to do where there is nothing before the turns that stay', async () => {
    const store = await storeOf(2)
    const { given, summarize } = createSummarizer()
    expect(await compactConversation(store, 's', { summarize, keepTurns: 2 })).toBeUndefined()
    expect(await compactConversation(store, 's', { summarize, keepTurns: 9 })).toBeUndefined()
    expect(given).toEqual([])
  })

  test('what is appended while the summary is made stays as it is', async () => {
    const store = await storeOf(2)
    await compactConversation(store, 's', {
      summarize: async () => {
        await store.messages.append('s', [{ role: 'user', content: 'q3' }])
        return 'S'
      },
    })
    expect(texts((await restoreConversation(store, 's')).messages)).toEqual(['S\n\nq2', 'a2', 'q3'])
  })

  test('a summarizer that fails or says nothing changes nothing', async () => {
    const store = await storeOf(2)
    const before = await store.sessions.get('s')
    const failure = new Error('no model')
    await expect(compactConversation(store, 's', { summarize: () => Promise.reject(failure) })).rejects.toBe(
      failure,
    )
    await expect(compactConversation(store, 's', { summarize: async () => ' \n' })).rejects.toMatchObject({
      code: 'invalid',
      operation: 'compactConversation',
    })
    await expect(compactConversation(store, 'none', { summarize: async () => 'S' })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await store.sessions.get('s')).toEqual(before)
  })
})
