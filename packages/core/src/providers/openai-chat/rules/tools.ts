// Calls and results of Chat Completions: tool messages follow their calls at once, one for each.

import { parseJson } from '../../../format/json.ts'
import { isObject, own } from '../../json.ts'
import { type Finding, type Rule, repeated, textOf } from '../../rule.ts'
import type { ChatView, PlacedMessage } from './view.ts'

const callsNotEmpty: Rule<ChatView> = {
  rule: 'calls-present',
  source: 'openai/openai-node#1341',
  *check({ messages }) {
    for (const { message, path } of messages) {
      const calls = message.tool_calls
      if (Array.isArray(calls) && calls.length === 0)
        yield { path: `${path}.tool_calls`, message: 'must be left out where it is empty' }
    }
  },
}

const callAnswered: Rule<ChatView> = {
  rule: 'call-answered-next',
  source: 'BerriAI/litellm#10083',
  *check({ messages, isHistory }) {
    for (const [index, { calls }] of messages.entries()) {
      const results = resultsAfter(messages, index)
      // The caller of a history may add the results.
      if (isHistory && index + results.length === messages.length - 1) continue
      const answered = new Set(results.map(({ message }) => message.tool_call_id))
      for (const { id, path } of calls) {
        if (!answered.has(id)) yield { path, message: 'has no tool message right behind it' }
      }
    }
  },
}

const resultAfterCall: Rule<ChatView> = {
  rule: 'result-after-call',
  source: 'smarter-sh/smarter#264',
  *check({ messages }) {
    let known = new Set<unknown>()
    for (const { message, role, calls, path } of messages) {
      if (role !== 'tool') known = new Set(calls.map(({ id }) => id))
      else if (!known.has(message.tool_call_id))
        yield { path: `${path}.tool_call_id`, message: 'answers no call of the assistant message before' }
    }
  },
}

const resultUnique: Rule<ChatView> = {
  rule: 'result-unique',
  source: 'agno-agi/agno#5116',
  *check({ messages }) {
    for (const index of messages.keys()) {
      if (messages[index]?.role === 'tool') continue
      for (const { path } of repeated(resultsAfter(messages, index), ({ message }) => message.tool_call_id))
        yield { path: `${path}.tool_call_id`, message: 'is answered by an earlier tool message' }
    }
  },
}

const callUnique: Rule<ChatView> = {
  rule: 'call-id-unique',
  source: 'VicBilibily/GCMP#120',
  *check({ messages }) {
    for (const { calls } of messages) {
      for (const { path } of repeated(calls, ({ id }) => id))
        yield { path: `${path}.id`, message: 'is the id of an earlier call of the message' }
    }
  },
}

const idLength: Rule<ChatView> = {
  rule: 'call-id-length',
  source: 'agno-agi/agno#5382',
  *check({ messages }) {
    for (const { message, role, calls, path } of messages) {
      for (const call of calls) yield* checkId(call.id, `${call.path}.id`)
      if (role === 'tool') yield* checkId(message.tool_call_id, `${path}.tool_call_id`)
    }
  },
}

function* checkId(id: unknown, path: string): Generator<Finding> {
  if (typeof id !== 'string' || id === '') yield { path, message: 'must be there' }
  else if (id.length > 40) yield { path, message: 'must have at most 40 characters' }
}

const callShape: Rule<ChatView> = {
  rule: 'call-shape',
  source: 'continuedev/continue#11645',
  *check({ messages }) {
    for (const { call, path } of messages.flatMap(({ calls }) => calls)) {
      const key = call.type === 'custom' ? 'custom' : 'function'
      if (!textOf(own(call, key), 'name')) yield { path: `${path}.${key}.name`, message: 'must be there' }
    }
  },
}

const argumentsText: Rule<ChatView> = {
  rule: 'arguments-are-text',
  source: 'aaif-goose/goose-mobile#20',
  *check({ messages }) {
    for (const { called, path } of functionsOf(messages)) {
      if (typeof called.arguments !== 'string') yield { path, message: 'must be a text' }
    }
  },
}

/** OpenAI lets it pass; others of the dialect parse what stands there. */
const argumentsJson: Rule<ChatView> = {
  rule: 'arguments-are-json',
  source: 'HKUDS/nanobot#1487',
  *check({ messages }) {
    for (const { called, path } of functionsOf(messages)) {
      const text = called.arguments
      if (typeof text === 'string' && !isObject(parseJson(text)))
        yield { path, message: 'must be the JSON of an object' }
    }
  },
}

function functionsOf(messages: readonly PlacedMessage[]) {
  return messages
    .flatMap(({ calls }) => calls)
    .flatMap(({ call, path }) => {
      const called = own(call, 'function')
      return isObject(called) ? [{ called, path: `${path}.function.arguments` }] : []
    })
}

/** The tool messages right behind a message. */
function resultsAfter(messages: readonly PlacedMessage[], index: number): PlacedMessage[] {
  const after = messages.slice(index + 1)
  const end = after.findIndex(({ role }) => role !== 'tool')
  return end < 0 ? after : after.slice(0, end)
}

export const toolRules: readonly Rule<ChatView>[] = [
  callsNotEmpty,
  callAnswered,
  resultAfterCall,
  resultUnique,
  callUnique,
  idLength,
  callShape,
  argumentsText,
  argumentsJson,
]
