// Odd arguments of what a host calls: each is refused as invalid, by name, and nothing is stored.

import { describe, expect, test } from 'vitest'
import { compactConversation } from '../conversation/compact.ts'
import { openConversation } from '../conversation/open.ts'
import { persistRun } from '../conversation/persist.ts'
import { isStoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import { autoName } from '../naming/auto-name.ts'
import { cleanName } from '../naming/clean.ts'
import { fromAnthropicMessages } from '../providers/anthropic/from.ts'
import { toAnthropicMessages } from '../providers/anthropic/to.ts'
import { fromGeminiContents } from '../providers/gemini/from.ts'
import { toGeminiContents } from '../providers/gemini/to.ts'
import { fromOpenAiMessages } from '../providers/openai-chat/from.ts'
import { toOpenAiMessages } from '../providers/openai-chat/to.ts'
import { fromOpenAiItems } from '../providers/openai-responses/from.ts'
import { toOpenAiItems } from '../providers/openai-responses/to.ts'
import { fromUiMessages } from '../providers/ui/from.ts'
import { validateForProvider } from '../providers/validate.ts'
import { classifyProviderError } from '../recovery/classify.ts'
import { recoverConversation } from '../recovery/recover.ts'
import { restoreConversation } from '../restore/conversation.ts'
import { restoreFull } from '../restore/full.ts'
import { restoreText } from '../restore/text.ts'
import { restoreWindow } from '../restore/window.ts'

const throws = () => {
  throw new Error('no')
}
const throwing = new Proxy({}, { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws })
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const cycle: { [key: string]: unknown } = { type: 'text' }
cycle.self = cycle
cycle.content = [cycle]
cycle.cause = cycle

const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')
const summarize = async () => 'S'

async function storeOf() {
  const store = createMemoryStore()
  await store.messages.append(
    's',
    [
      { role: 'user', content: 'q1' },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: 'q2' },
    ],
    { createSession: true },
  )
  return store
}
type Store = Awaited<ReturnType<typeof storeOf>>

/** Everything that takes an argument, which is odd here. */
const calls: { readonly [name: string]: (store: Store, odd: never) => unknown } = {
  'openConversation store': (_, odd) => openConversation(odd),
  'openConversation options': (store, odd) => openConversation(store, odd),
  'openConversation id': (store, id) => openConversation(store, { id }),
  'openConversation current': (store, current) => openConversation(store, { current }),
  'openConversation create': (store, create) => openConversation(store, { create }),
  'openConversation restore': (store, restore) => openConversation(store, { restore }),
  'openConversation provider': (store, provider) => openConversation(store, { provider }),
  'openConversation thinking': (store, thinking) => openConversation(store, { thinking }),
  'openConversation logger': (store, logger) => openConversation(store, { logger }),
  begin: async (store, odd) => (await openConversation(store, { id: 's' })).begin(odd),
  persist: async (store, odd) => (await openConversation(store, { id: 's' })).persist(odd),
  'persist message': async (store, odd) => (await openConversation(store, { id: 's' })).persist([odd]),
  'persist content': async (store, content) =>
    (await openConversation(store, { id: 's' })).persist([{ role: 'assistant', content }]),
  finish: async (store, odd) => (await openConversation(store, { id: 's' })).finish(odd),
  'finish usage': async (store, usage) => (await openConversation(store, { id: 's' })).finish({ usage }),
  'finish complete': async (store, complete) =>
    (await openConversation(store, { id: 's' })).finish({ complete }),
  recover: async (store, odd) => (await openConversation(store, { id: 's' })).recover(overflow, odd),
  'persistRun store': (_, odd) => persistRun(odd, 's', []),
  'persistRun id': (store, odd) => persistRun(store, odd, [{ role: 'user', content: 'x' }]),
  'persistRun messages': (store, odd) => persistRun(store, 's', odd),
  'persistRun options': (store, odd) => persistRun(store, 's', [], odd),
  'compactConversation store': (_, odd) => compactConversation(odd, 's', { summarize }),
  'compactConversation id': (store, odd) => compactConversation(store, odd, { summarize }),
  'compactConversation options': (store, odd) => compactConversation(store, 's', odd),
  'compactConversation summarize': (store, odd) => compactConversation(store, 's', { summarize: odd }),
  'compactConversation keepTurns': (store, keepTurns) =>
    compactConversation(store, 's', { summarize, keepTurns }),
  'recoverConversation store': (_, odd) => recoverConversation(odd, 's', overflow),
  'recoverConversation id': (store, odd) => recoverConversation(store, odd, overflow),
  'recoverConversation options': (store, odd) => recoverConversation(store, 's', overflow, odd),
  'recoverConversation restore': (store, restore) =>
    recoverConversation(store, 's', overflow, { strategy: 'clear', restore }),
  'recoverConversation strategy': (store, strategy) =>
    recoverConversation(store, 's', overflow, { strategy }),
  'autoName store': (_, odd) => autoName(odd, 's', { complete: summarize }),
  'autoName id': (store, odd) => autoName(store, odd, { complete: summarize }),
  'autoName options': (store, odd) => autoName(store, 's', odd),
  'autoName complete': (store, complete) => autoName(store, 's', { complete }),
  'restoreConversation store': (_, odd) => restoreConversation(odd, 's'),
  'restoreConversation id': (store, odd) => restoreConversation(store, odd),
  'restoreConversation policy': (store, odd) => restoreConversation(store, 's', odd),
  'restoreWindow turns': (_, odd) => restoreWindow(odd, { id: 's' }),
  'restoreWindow session': (_, odd) => restoreWindow(20, odd),
  restoreText: (_, odd) => restoreText(odd),
  restoreFull: (_, odd) => restoreFull(odd),
  cleanName: (_, odd) => cleanName(odd),
  toAnthropicMessages: (_, odd) => toAnthropicMessages(odd),
  'toAnthropicMessages message': (_, odd) => toAnthropicMessages([odd]),
  toOpenAiMessages: (_, odd) => toOpenAiMessages(odd),
  toOpenAiItems: (_, odd) => toOpenAiItems(odd),
  toGeminiContents: (_, odd) => toGeminiContents(odd),
  'toGeminiContents options': (_, odd) => toGeminiContents([], odd),
  fromAnthropicMessages: (_, odd) => fromAnthropicMessages(odd),
  fromOpenAiMessages: (_, odd) => fromOpenAiMessages(odd),
  fromOpenAiItems: (_, odd) => fromOpenAiItems(odd),
  fromGeminiContents: (_, odd) => fromGeminiContents(odd),
  fromUiMessages: (_, odd) => fromUiMessages(odd),
  'validateForProvider provider': (_, odd) => validateForProvider([] as never, odd),
  'validateForProvider options': (_, odd) => validateForProvider([] as never, 'anthropic', odd),
}

const oddities: readonly [string, unknown][] = [
  ['null', null],
  ['true', true],
  ['a number that is none', Number.NaN],
  ['a symbol', Symbol('x')],
  ['a proxy that throws', throwing],
  ['a revoked proxy', revoked.proxy],
]

describe.each(Object.entries(calls))('%s', (_name, call) => {
  test.each(oddities)('that is %s is invalid', async (_odd, value) => {
    const store = await storeOf()
    const before = [await store.sessions.list({ types: 'all' }), await store.messages.read('s')]
    const error = await Promise.resolve()
      .then(() => call(store, value as never))
      .catch((thrown: unknown) => thrown)
    expect(isStoreError(error), String(error)).toBe(true)
    expect(error).toMatchObject({ code: 'invalid' })
    expect((error as { operation: string }).operation).not.toBe('')
    expect([await store.sessions.list({ types: 'all' }), await store.messages.read('s')]).toEqual(before)
  })
})

describe('what is wrong is named, and where', () => {
  test.each<[() => unknown, string, string]>([
    [
      async () => openConversation(await storeOf(), { restore: { turns: 1, maxTokens: 2 } }),
      'openConversation',
      'options.restore: takes one of turns, agentMaxTurns and maxTokens',
    ],
    [
      async () => openConversation(await storeOf(), { id: 's', create: { id: 't' } }),
      'openConversation',
      'options.create.id: must be "s", as options.id',
    ],
    [
      async () =>
        (await openConversation(await storeOf(), { id: 's' })).persist([
          { role: 'user', content: 'x' },
          { role: 'assistant', content: [{ type: 'text' }] },
        ]),
      'conversation.persist',
      'messages[1].content[0].text: invalid input: expected string, received undefined',
    ],
    [
      async () => restoreConversation(await storeOf(), 5 as never),
      'restoreConversation',
      'sessionId: invalid input: expected string, received number',
    ],
    [
      async () => recoverConversation(await storeOf(), 's', overflow, { restore: { turns: 1.5 } }),
      'recoverConversation',
      'options.restore.turns: invalid input: expected int, received number',
    ],
    [
      () => toAnthropicMessages([null as never]),
      'toAnthropicMessages',
      'messages[0]: invalid input: expected object, received null',
    ],
    [
      () => fromGeminiContents({ contents: [5] } as never),
      'fromGeminiContents',
      'request.contents[0]: invalid input: expected object, received number',
    ],
    [
      () => validateForProvider([] as never, 'constructor' as never),
      'validateForProvider',
      'provider: invalid option: expected one of "anthropic"|"openai-chat"|"openai-responses"|"gemini"',
    ],
  ])('%s', async (call, operation, message) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid', operation, message })
  })

  test.each<[unknown, string]>([
    [undefined, 'options.summarize answered undefined, which is no text'],
    [null, 'options.summarize answered object, which is no text'],
    [5, 'options.summarize answered number, which is no text'],
    ['', 'options.summarize answered an empty summary'],
    [' \n\u3000', 'options.summarize answered an empty summary'],
  ])('a summary that is %j', async (answer, message) => {
    const store = await storeOf()
    const compacting = compactConversation(store, 's', { summarize: async () => answer as never })
    await expect(compacting).rejects.toMatchObject({
      code: 'invalid',
      operation: 'compactConversation',
      message,
    })
    expect((await store.sessions.get('s'))?.messageCount).toBe(3)
  })
})

describe('what looks at anything never throws', () => {
  const deep: unknown = Array.from({ length: 50_000 }).reduce(
    (inner) => ({ error: inner, content: [inner] }),
    {},
  )
  const anything = [
    ...oddities.map(([, value]) => value),
    cycle,
    deep,
    [cycle],
    [deep],
    new Array(2),
    5n,
    () => 5,
  ]

  test('an error of a provider', () => {
    expect(anything.map(classifyProviderError)).toEqual(anything.map(() => 'other'))
  })

  test('a request', () => {
    for (const provider of ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const) {
      for (const value of anything) {
        for (const request of [
          value,
          { messages: value },
          { contents: value },
          { messages: [value] },
          [value],
        ]) {
          expect(validateForProvider(request as never, provider)).toBeInstanceOf(Array)
        }
      }
    }
    expect(validateForProvider([{ role: 'user', content: [cycle] }] as never, 'openai-chat')).toEqual([
      {
        rule: 'request-readable',
        path: '',
        message: 'cannot be written as JSON: RangeError: Maximum call stack size exceeded',
        source: 'www.rfc-editor.org/rfc/rfc8259',
      },
    ])
  })
})
