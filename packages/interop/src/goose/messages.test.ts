import { StoreError } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { readMessages } from './messages.ts'

const text = [{ type: 'text', text: 'hello' }]
const read = (...messages: unknown[]) => readMessages(messages, 'conversation')
const metadataOf = (metadata: unknown) => read({ role: 'assistant', content: text, metadata })[0]?.metadata

describe('readMessages', () => {
  it('keeps ids, roles and the order', () => {
    expect(
      read(
        { id: 'msg_2', role: 'user', created: 1_772_355_601, content: text },
        { id: null, role: 'assistant', created: 1_772_355_600, content: [], metadata: null },
      ),
    ).toStrictEqual([
      { id: 'msg_2', role: 'user', content: text, createdAt: 1_772_355_601_000 },
      { role: 'assistant', content: [], createdAt: 1_772_355_600_000 },
    ])
  })

  it.each([
    ['seconds', 1_772_355_600, 1_772_355_600_000],
    ['milliseconds', 1_772_355_600_123, 1_772_355_600_123],
    ['the last second that is one', 10_000_000_000, 10_000_000_000_000],
    ['the first millisecond that is one', 10_000_000_001, 10_000_000_001],
    ['fractions of a second', 1_772_355_600.5, 1_772_355_600_500],
    ['the beginning of time', 0, 0],
    ['a time before it', -1, -1000],
  ])('takes created in %s', (_, created, createdAt) => {
    expect(read({ role: 'user', created, content: text })[0]?.createdAt).toBe(createdAt)
  })

  it('leaves created out where there is none', () => {
    expect(read({ role: 'user', created: null, content: text })).toStrictEqual([
      { role: 'user', content: text },
    ])
  })

  it('takes the roles of sess that Goose does not have', () => {
    expect(
      read({ role: 'system', content: text }, { role: 'tool', content: text }).map(({ role }) => role),
    ).toStrictEqual(['system', 'tool'])
  })

  it('leaves out the mark of an old compaction, and a message that held nothing else', () => {
    const mark = { type: 'conversationCompacted', msg: 'x' }
    expect(read({ role: 'user', content: [mark] }, { role: 'user', content: [mark, ...text] })).toStrictEqual(
      [{ role: 'user', content: text }],
    )
  })

  it('gives the later of two messages of one id a new one', () => {
    const ids = read(...['a', 'b', 'a', ''].map((id) => ({ id, role: 'user', content: text }))).map(
      ({ id }) => id,
    )
    expect(ids).toStrictEqual(['a', 'b', undefined, undefined])
  })

  it.each([null, undefined])('finds no messages in %s', (value) => {
    expect(readMessages(value, 'conversation')).toStrictEqual([])
  })

  it.each([
    ['no array', () => readMessages({}, 'conversation'), 'conversation: must be an array of messages'],
    ['no object', () => read(5), 'conversation[0]: must be an object'],
    [
      'an unknown role',
      () => read(...Array(3).fill({ role: 'user', content: text }), { role: 'robot', content: text }),
      'conversation[3].role: must be one of user, assistant, system, tool',
    ],
    [
      'no role',
      () => read({ content: text }),
      'conversation[0].role: must be one of user, assistant, system, tool',
    ],
    [
      'content that is no array',
      () => read({ role: 'user', content: 'hi' }),
      'conversation[0].content: must be an array',
    ],
    [
      'content that is none',
      () => read({ role: 'user', content: [...text, null] }),
      'conversation[0].content[1].type: must be a string',
    ],
    [
      'a time that is a text',
      () => read({ role: 'user', content: text, created: '2026' }),
      'conversation[0].created: must be a time in seconds',
    ],
    [
      'a time that no date holds',
      () => read({ role: 'user', content: text, created: 1e18 }),
      'conversation[0].created: must be a time in seconds',
    ],
    [
      'metadata that is a list',
      () => read({ role: 'user', content: text, metadata: [] }),
      'conversation[0].metadata: must be an object',
    ],
    [
      'an id that no store takes',
      () => read({ id: 'a\u0007', role: 'user', content: text }),
      'conversation[0].id: must not contain control characters',
    ],
  ])('refuses %s', (_, act, message) => {
    expect(act).toThrow(new StoreError('invalid', message))
  })

  it('refuses a value nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(1001)}${']'.repeat(1001)}`)
    expect(() => read({ role: 'user', content: [{ type: 'x', deep }] })).toThrow(
      /nested more than 1,000 levels deep$/,
    )
  })
})

describe('the metadata of a message', () => {
  it('keeps visibility, provider, model and usage', () => {
    expect(
      metadataOf({
        userVisible: true,
        agentVisible: false,
        inference: { provider: 'anthropic', requestedModel: 'm', resolvedModel: 'm' },
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          totalTokens: 3,
          cacheReadInputTokens: 0,
          cacheWriteInputTokens: 5,
          cost: 0.25,
          elapsedMs: null,
        },
        steer: null,
      }),
    ).toStrictEqual({
      userVisible: true,
      agentVisible: false,
      provider: 'anthropic',
      model: 'm',
      usage: { input: 1, output: 2, total: 3, cacheRead: 0, cacheWrite: 5, cost: 0.25 },
    })
  })

  it.each([
    ['nothing', {}, {}],
    ['the model asked for', { inference: { requestedModel: 'a' } }, { model: 'a' }],
    ['the model that answered', { inference: { resolvedModel: 'b', provider: null } }, { model: 'b' }],
    ['no counts', { usage: {}, inference: null }, {}],
  ])('is read from %s', (_, metadata, expected) => {
    expect(metadataOf(metadata)).toStrictEqual(expected)
  })

  it.each([
    ['a key that sess does not have', { userVisible: true, steer: true }, { userVisible: true }],
    ['two models', { inference: { requestedModel: 'a', resolvedModel: 'b' } }, { model: 'b' }],
    ['more of the inference', { inference: { provider: 'p', region: 'eu' } }, { provider: 'p' }],
    ['more of the usage', { usage: { inputTokens: 1, elapsedMs: 20 } }, { usage: { input: 1 } }],
    ['a count that is none', { usage: { inputTokens: -1 } }, {}],
    ['a flag that is none', { userVisible: 'yes' }, {}],
    ['an inference that is none', { inference: 'x' }, {}],
    ['a summary, which is not one of sess', { summary: 'so far' }, {}],
  ])('goes along whole where something would be lost: %s', (_, metadata, expected) => {
    expect(metadataOf(metadata)).toStrictEqual({ ...expected, native: metadata })
  })
})
