import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { NewMessage } from '../types/message.ts'
import { persistRun } from './persist.ts'

const clock = () => 1_772_366_000_000
const use = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' }

/** A run: question, a call with reasoning, its result with steering, reasoning alone, the answer. */
const run: NewMessage[] = [
  { role: 'user', content: 'q' },
  { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'look' }, use] },
  { role: 'user', content: [result, { type: 'text', text: 'also X' }] },
  { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'ZW5j' }] },
  { role: 'assistant', content: 'done' },
]

async function stored(store: ReturnType<typeof createMemoryStore>, id = 's') {
  return (await store.messages.read(id)).items.map(({ role, content, metadata }) => ({
    role,
    content,
    metadata,
  }))
}

describe('persistRun', () => {
  test('creates the session, keeps tools, strips thinking, and stores no message that thinking was all of', async () => {
    const store = createMemoryStore({ clock })
    const receipt = await persistRun(store, 's', run)
    expect([receipt?.version, receipt?.firstSeq, receipt?.lastSeq]).toEqual([1, 1, 4])
    expect(await stored(store)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'q' }], metadata: {} },
      { role: 'assistant', content: [{ type: 'text', text: 'look' }, use], metadata: {} },
      { role: 'user', content: [result, { type: 'text', text: 'also X' }], metadata: {} },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }], metadata: {} },
    ])
  })

  test('keeps thinking where it is told to', async () => {
    const store = createMemoryStore()
    await persistRun(store, 's', run, { thinking: 'keep' })
    expect((await stored(store)).map(({ content }) => content.map(({ type }) => type))).toEqual([
      ['text'],
      ['thinking', 'text', 'tool_use'],
      ['tool_result', 'text'],
      ['redacted_thinking'],
      ['text'],
    ])
  })

  test('with tools stripped stores what a text restore would use', async () => {
    const store = createMemoryStore()
    const second: NewMessage[] = [
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'wait' }, use] },
    ]
    await persistRun(store, 's', [...run, ...second], { tools: 'strip' })
    expect((await stored(store)).map(({ role, content }) => [role, content])).toEqual([
      ['user', [{ type: 'text', text: 'q' }]],
      ['user', [{ type: 'text', text: 'also X' }]],
      ['assistant', [{ type: 'text', text: 'done' }]],
      ['user', [{ type: 'image' }]],
      ['assistant', [{ type: 'text', text: 'wait' }]],
    ])
  })

  test('marks messages with channel and model, and never over a mark that is there', async () => {
    const store = createMemoryStore()
    const messages: NewMessage[] = [
      { role: 'user', content: 'q', metadata: { channelType: 'web' } },
      { role: 'assistant', content: 'a', metadata: { model: 'other', k: 1 } },
      { role: 'assistant', content: 'b' },
    ]
    await persistRun(store, 's', messages, {
      channelType: 'telegram',
      provider: 'anthropic',
      model: 'claude-x',
    })
    expect((await stored(store)).map(({ metadata }) => metadata)).toEqual([
      { channelType: 'web' },
      { model: 'other', k: 1, channelType: 'telegram', provider: 'anthropic' },
      { channelType: 'telegram', provider: 'anthropic', model: 'claude-x' },
    ])
  })

  test.each(['remove', 'purge', 'never'] as const)(
    'with createSession false leaves a session that is gone (%s) gone',
    async (how) => {
      const store = createMemoryStore()
      if (how !== 'never') {
        await persistRun(store, 's', run)
        await store.sessions.remove('s', { purge: how === 'purge' })
      }
      expect(await persistRun(store, 's', run, { createSession: false })).toBeUndefined()
      expect((await store.sessions.list()).items).toEqual([])
      expect((await store.messages.read('s')).items).toHaveLength(how === 'remove' ? 4 : 0)
    },
  )

  test('is one append: all or nothing, retried safely with an operation id', async () => {
    const store = createMemoryStore()
    const first = await persistRun(store, 's', run, { operationId: 'op' })
    expect(await persistRun(store, 's', run, { operationId: 'op' })).toEqual(first)
    const bad = [...run, { role: 'user', content: 5 }] as unknown as NewMessage[]
    await expect(persistRun(store, 's', bad)).rejects.toMatchObject({ code: 'invalid' })
    await expect(persistRun(store, 's', run, { expectedVersion: 7 })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await store.sessions.get('s'))?.messageCount).toBe(4)
  })
})
