import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { NewMessage, RestoredMessage } from '../types/message.ts'
import type { NewSession } from '../types/session.ts'
import { type RestorePolicy, restoreConversation } from './conversation.ts'

const question = (text: string): NewMessage => ({ role: 'user', content: text })
const answer = (text: string): NewMessage => ({ role: 'assistant', content: text })
const call: NewMessage = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name: 'n', input: {} } as const],
}

/** `q1 a1 q2 a2 …` */
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => [question(`q${index + 1}`), answer(`a${index + 1}`)]).flat()

const texts = (messages: readonly RestoredMessage[]) =>
  messages.map(({ role, content }) => `${role[0]}:${(content[0] as { text: string }).text}`)

/** The whole of a history of so many turns. */
const everything = (count: number) =>
  Array.from({ length: count }, (_, index) => [`u:q${index + 1}`, `a:a${index + 1}`]).flat()

async function stored(messages: readonly NewMessage[], session: NewSession = {}, id = 's1') {
  const store = createMemoryStore()
  await store.messages.append(id, messages, { createSession: session })
  return store
}

describe('restoreConversation', () => {
  test('gives the latest turns, by default three of twenty', async () => {
    const store = await stored(turns(5))
    expect(await restoreConversation(store, 's1')).toEqual({
      found: true,
      turns: 3,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'q3' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'a3' }] },
        { role: 'user', content: [{ type: 'text', text: 'q4' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'a4' }] },
        { role: 'user', content: [{ type: 'text', text: 'q5' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'a5' }] },
      ],
      report: {
        dropped: 0,
        repaired: 0,
        interrupted: 0,
        reachedStart: false,
        damaged: 0,
        truncatedBy: 'turns',
      },
    })
  })

  test('says that it reached the start, and what it dropped there', async () => {
    const store = await stored([answer('welcome'), call, ...turns(2)])
    expect((await restoreConversation(store, 's1')).report).toEqual({
      dropped: 2,
      repaired: 0,
      interrupted: 0,
      reachedStart: true,
      damaged: 0,
    })
  })

  test('a missing session is not found, and that is no error', async () => {
    const missing = await restoreConversation(createMemoryStore(), 'nobody', { onError: 'throw' })
    expect(missing).toEqual({
      found: false,
      messages: [],
      turns: 0,
      report: { dropped: 0, repaired: 0, interrupted: 0, reachedStart: true, damaged: 0 },
    })
  })

  test('an empty session is found', async () => {
    const store = createMemoryStore()
    await store.sessions.create({ id: 's1' })
    expect(await restoreConversation(store, 's1')).toMatchObject({ found: true, messages: [], turns: 0 })
  })

  test.each<[RestorePolicy, string[], number]>([
    [{ turns: 1 }, ['u:q9', 'a:a9'], 1],
    [{ turns: 0 }, [], 0],
    [{ turns: -3 }, [], 0],
    [{ turns: 100 }, everything(9), 9],
    [{ agentMaxTurns: 1 }, ['u:q7', 'a:a7', 'u:q8', 'a:a8', 'u:q9', 'a:a9'], 3],
  ])('%j gives its turns', async (policy, messages, count) => {
    const answered = await restoreConversation(await stored(turns(9)), 's1', policy)
    expect(texts(answered.messages)).toEqual(messages)
    expect(answered.turns).toBe(count)
  })

  test('placeholders are in the language that is asked for', async () => {
    const store = await stored([
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }],
      },
    ])
    expect(texts((await restoreConversation(store, 's1')).messages)).toEqual(['u:[image]'])
    expect(texts((await restoreConversation(store, 's1', { locale: 'zh' })).messages)).toEqual(['u:[图片]'])
  })

  test('stored rows never change', async () => {
    const store = await stored(turns(5))
    const before = [await store.sessions.get('s1'), await store.messages.read('s1')]
    await restoreConversation(store, 's1')
    expect([await store.sessions.get('s1'), await store.messages.read('s1')]).toEqual(before)
  })
})

describe('the window of a scheduled session', () => {
  test.each<[string, NewSession, number, number]>([
    ['s1', { type: 'scheduled' }, 5, 1],
    ['s1', { type: 'user' }, 5, 3],
    ['scheduler_daily', { type: 'user' }, 5, 1],
    ['my_scheduler_x', { type: 'user' }, 5, 3],
    ['s1', { type: 'scheduled' }, 36, 7],
    ['s1', { type: 'user' }, 36, 6],
    ['scheduler_daily', { type: 'user' }, 36, 7],
    ['s1', { type: 'scheduled' }, 20, 4],
    ['s1', { type: 'user' }, 20, 3],
  ])('%s of %j, agentMaxTurns %i: %i turns', async (id, session, agentMaxTurns, expected) => {
    const store = await stored(turns(10), session, id)
    const answered = await restoreConversation(store, id, { agentMaxTurns })
    expect(answered.turns).toBe(expected)
    expect(texts(answered.messages)[0]).toBe(`u:q${11 - expected}`)
    expect(answered.report).toMatchObject({ reachedStart: false, truncatedBy: 'turns' })
  })

  test('interrupted counts only turns that are given, also where a larger window was read', async () => {
    const broken = [question('q1'), call, question('q2'), call, ...turns(5)]
    const asUser = await stored(broken)
    expect((await restoreConversation(asUser, 's1', { agentMaxTurns: 36 })).report).toMatchObject({
      interrupted: 1,
      reachedStart: false,
    })
    const asScheduled = await stored(broken, { type: 'scheduled' })
    expect((await restoreConversation(asScheduled, 's1', { agentMaxTurns: 36 })).report).toMatchObject({
      interrupted: 2,
      reachedStart: true,
    })
  })

  test('nothing is dropped where the turns that were cut stand before', async () => {
    const store = await stored([answer('welcome'), ...turns(7)])
    expect((await restoreConversation(store, 's1', { agentMaxTurns: 36 })).report).toEqual({
      dropped: 0,
      repaired: 0,
      interrupted: 0,
      reachedStart: false,
      damaged: 0,
      truncatedBy: 'turns',
    })
  })
})

describe('a summary', () => {
  const summary: NewMessage = {
    role: 'assistant',
    content: 'S',
    metadata: { summary: { fromSeq: 1, throughSeq: 2, line: [] } },
  }

  async function compacted(after: number) {
    const store = createMemoryStore()
    await store.sessions.import({ id: 's1', context: { startSeq: 2, summarySeq: 3 } }, [
      question('q1'),
      answer('a1'),
      summary,
      ...turns(after + 1).slice(2),
    ])
    return store
  }

  test('comes first, with the rest of its own turn', async () => {
    const answered = await restoreConversation(await compacted(1), 's1')
    expect(texts(answered.messages)).toEqual(['u:S', 'a:a1', 'u:q2', 'a:a2'])
    expect(answered).toMatchObject({ turns: 1, report: { dropped: 0, reachedStart: true } })
  })

  test('comes first also where the window ends before it, without the rest of its turn', async () => {
    const answered = await restoreConversation(await compacted(4), 's1')
    expect(texts(answered.messages)).toEqual(['u:S\n\nq3', 'a:a3', 'u:q4', 'a:a4', 'u:q5', 'a:a5'])
    expect(answered).toMatchObject({ turns: 3, report: { reachedStart: false, truncatedBy: 'turns' } })
  })

  test('alone is the context', async () => {
    const answered = await restoreConversation(await compacted(0), 's1')
    expect(texts(answered.messages)).toEqual(['u:S', 'a:a1'])
    expect(answered.turns).toBe(0)
  })
})
