import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { ContentBlock } from '../types/content.ts'
import type { Message, MessageMetadata, NewMessage, Role } from '../types/message.ts'
import { restoreConversation } from './conversation.ts'
import { restoreFull } from './full.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })

function rows(...given: readonly [Role, readonly ContentBlock[], MessageMetadata?][]): Message[] {
  return given.map(([role, content, metadata = {}], index) => ({
    id: `m${index}`,
    sessionId: 's',
    seq: index + 1,
    role,
    content,
    createdAt: 0,
    metadata,
  }))
}

describe('restoreFull', () => {
  test('leaves out system rows, what the agent may not see, blank texts and empty messages; role tool is the user’s', () => {
    const messages = rows(
      ['system', [text('be nice')]],
      ['user', [text('q'), text('  ')]],
      ['user', [text('secret')], { agentVisible: false }],
      ['assistant', [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }]],
      ['tool', [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }]],
      ['assistant', [text('')]],
      ['assistant', [text('done')]],
    )
    expect(restoreFull({ messages })).toEqual({
      messages: [
        { role: 'user', content: [text('q')] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
        { role: 'assistant', content: [text('done')] },
      ],
      repaired: 0,
    })
  })

  test('merges neighbours of one role', () => {
    const messages = rows(
      ['user', [text('a')]],
      ['user', [text('b')]],
      ['assistant', [text('c')]],
      ['assistant', [text('d')]],
    )
    expect(restoreFull({ messages }).messages).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: [text('c'), text('d')] },
    ])
  })

  test('begins with the user: what an assistant said before, and its results, go', () => {
    const messages = rows(
      ['assistant', [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }]],
      ['assistant', [text('stray')]],
      ['user', [text('q')]],
    )
    expect(restoreFull({ messages })).toEqual({
      messages: [{ role: 'user', content: [text('q')] }],
      repaired: 3,
    })
  })

  test('gives the summary first, as the user’s text, whatever role it was stored with', () => {
    const [summary] = rows(['assistant', [text('so far'), text('and so on')]])
    const messages = rows(['assistant', [text('rest')]], ['user', [text('q')]])
    expect(restoreFull({ messages, ...(summary ? { summary } : {}) }).messages).toEqual([
      { role: 'user', content: [text('so far\nand so on')] },
      { role: 'assistant', content: [text('rest')] },
      { role: 'user', content: [text('q')] },
    ])
  })

  test('keeps thinking only for the provider and model that wrote it', () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 's' }
    const written = { provider: 'anthropic', model: 'claude-x' }
    const messages = rows(['user', [text('q')]], ['assistant', [thinking, text('a')], written])
    const content = (target?: { provider?: string; model?: string }) =>
      restoreFull({ messages }, target).messages[1]?.content
    expect(content(written)).toEqual([thinking, text('a')])
    for (const target of [undefined, {}, { provider: 'anthropic' }, { ...written, model: 'claude-y' }]) {
      expect(content(target)).toEqual([text('a')])
    }
  })

  test('ends no message with thinking: what it led to is gone', () => {
    const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 's' }
    const written = { provider: 'anthropic', model: 'claude-x' }
    const messages = rows(
      ['user', [text('q')]],
      ['assistant', [thinking], written],
      ['assistant', [text('a'), thinking], written],
      ['user', [text('q2')]],
      ['assistant', [thinking, text(' ')], written],
      ['user', [text('q3')]],
    )
    expect(restoreFull({ messages }, written)).toEqual({
      messages: [
        { role: 'user', content: [text('q')] },
        { role: 'assistant', content: [thinking, text('a')] },
        { role: 'user', content: [text('q2'), text('q3')] },
      ],
      repaired: 0,
    })
  })

  test('mends lone surrogates wherever they are, and keeps everything else the same value', () => {
    const whole: ContentBlock = {
      type: 'tool_use',
      id: 'a',
      name: 'ls',
      input: { __proto__: null, text: '\\ud83d 😀' },
    }
    const broken = JSON.parse(
      '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x\\ud83d"}],"k\\udc00":{"__proto__":["\\ud83d"]}}',
    )
    const messages = rows(['user', [text('q\ud83d')]], ['assistant', [whole]], ['user', [broken]])
    const [first, second, third] = restoreFull({ messages }).messages
    expect(first?.content).toEqual([text('q\ufffd')])
    expect(second?.content).toEqual([whole])
    expect(JSON.stringify(third?.content)).toBe(
      '[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x\ufffd"}],"k\ufffd":{"__proto__":["\ufffd"]}}]',
    )
  })

  test('keeps the place of a question of which nothing is left', () => {
    const stray: ContentBlock = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
    const messages = rows(['user', [stray]], ['assistant', [text('answer')]])
    expect(restoreFull({ messages })).toEqual({
      messages: [
        { role: 'user', content: [text('[tool_use]')] },
        { role: 'assistant', content: [text('answer')] },
      ],
      repaired: 1,
    })
  })

  test('tells by its type what an assistant’s message cannot hold, and leaves out what a user’s cannot', () => {
    const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
    const document = { type: 'document', source: { type: 'text', data: 'x' } } as unknown as ContentBlock
    const call: ContentBlock = { type: 'tool_use', id: 'a', name: 'draw', input: {} }
    const search = {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'search',
      input: {},
    } as unknown as ContentBlock
    const messages = rows(
      ['user', [image, search, text('draw')]],
      ['assistant', [image]],
      ['user', [search]],
      ['assistant', [text('so'), document, call, search]],
      ['user', [{ type: 'tool_result', tool_use_id: 'a', content: [image] }, image]],
    )
    const [summary] = rows(['assistant', [text('so far'), image, search]])
    expect(restoreFull({ messages, ...(summary ? { summary } : {}) })).toEqual({
      messages: [
        { role: 'user', content: [text('so far'), image, image, text('draw')] },
        { role: 'assistant', content: [text('[image]')] },
        { role: 'user', content: [text('[server_tool_use]')] },
        { role: 'assistant', content: [text('so'), text('[document]'), call, search] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }, image] },
      ],
      repaired: 0,
    })
  })

  test('of nothing is nothing', () => {
    expect(restoreFull({ messages: [] })).toEqual({ messages: [], repaired: 0 })
  })
})

/** A store with turns of a question, a call, its result and an answer. */
async function storeOf(turns: number, size = 10) {
  const store = createMemoryStore()
  for (let turn = 1; turn <= turns; turn++) {
    const messages: NewMessage[] = [
      { role: 'user', content: `q${turn}` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call', name: 'ls', input: { x: 'x'.repeat(size) } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content: 'ok' }] },
      { role: 'assistant', content: `a${turn}` },
    ]
    await store.messages.append('s', messages, { createSession: true })
  }
  return store
}

describe('restoreConversation', () => {
  test('in full mode gives the latest turns with unique ids, and says what it mended', async () => {
    const store = await storeOf(5)
    const { messages, turns, report } = await restoreConversation(store, 's', { mode: 'full', turns: 2 })
    expect(messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant user assistant user assistant user assistant',
    )
    expect(JSON.stringify(messages).match(/call(_2)?"/g)).toEqual(['call"', 'call"', 'call_2"', 'call_2"'])
    expect([turns, report]).toEqual([
      2,
      { dropped: 0, repaired: 1, interrupted: 0, reachedStart: false, damaged: 0, truncatedBy: 'turns' },
    ])
  })

  test('writes nothing', async () => {
    const store = await storeOf(3)
    const before = await store.sessions.get('s')
    await restoreConversation(store, 's', { mode: 'full', maxTokens: 5 })
    expect(await store.sessions.get('s')).toEqual(before)
  })

  test.each([
    // A turn's texts are four characters: two tokens as they are counted, one a text.
    [2, 1],
    [3, 1],
    [4, 2],
    [39, 19],
    [40, 20],
    [1000, 20],
  ])('with %i tokens gives %i turns in text mode', async (maxTokens, expected) => {
    const store = await storeOf(20)
    const { turns, report } = await restoreConversation(store, 's', { maxTokens })
    expect(turns).toBe(expected)
    expect([report.reachedStart, report.truncatedBy]).toEqual(
      expected === 20 ? [true, undefined] : [false, 'tokens'],
    )
  })

  test('takes a host’s own counter', async () => {
    const store = await storeOf(6)
    const { turns } = await restoreConversation(store, 's', {
      maxTokens: 6,
      countTokens: (value) => value.length,
    })
    expect(turns).toBe(1)
  })

  test('gives the last turn as its texts where it alone is too large in full', async () => {
    const store = await storeOf(3, 10_000)
    const { messages, turns, report } = await restoreConversation(store, 's', {
      mode: 'full',
      maxTokens: 100,
    })
    expect(messages).toEqual([
      { role: 'user', content: [text('q3')] },
      { role: 'assistant', content: [text('a3')] },
    ])
    expect([turns, report.truncatedBy]).toEqual([1, 'tokens'])
  })

  test('counts the summary, which is given in any case', async () => {
    const store = await storeOf(4)
    await store.messages.compact('s', { throughSeq: 8, summary: { role: 'user', content: 'S'.repeat(400) } })
    const { messages, turns } = await restoreConversation(store, 's', { maxTokens: 102 })
    expect(turns).toBe(1)
    expect(messages).toEqual([
      { role: 'user', content: [text(`${'S'.repeat(400)}\n\nq4`)] },
      { role: 'assistant', content: [text('a4')] },
    ])
  })

  test.each([{ turns: 1, maxTokens: 5 }, { agentMaxTurns: 20, maxTokens: 5 }, { maxTokens: 0 }])(
    'refuses %j',
    async (policy) => {
      await expect(restoreConversation(createMemoryStore(), 's', policy)).rejects.toMatchObject({
        code: 'invalid',
        operation: 'restoreConversation',
      })
    },
  )
})
