// Calls and results in a request of the Messages API: each call is answered in the next turn, once, and first there.

import { isBlank } from '../../../turns/parts.ts'
import { isObject } from '../../json.ts'
import { type Rule, repeated, textOf } from '../../rule.ts'
import type { AnthropicView, PlacedBlock } from './view.ts'

const callAnswered: Rule<AnthropicView> = {
  rule: 'call-answered-next',
  source: 'Kilo-Org/kilocode#5163',
  *check({ turns, isHistory }) {
    for (const [index, { role, blocks }] of turns.entries()) {
      // The caller of a history may add the results.
      if (role !== 'assistant' || (isHistory && index === turns.length - 1)) continue
      const answered = new Set(resultsOf(turns[index + 1]).map(idOfResult))
      for (const call of callsOf(blocks)) {
        if (!answered.has(textOf(call.block, 'id')))
          yield { path: call.path, message: 'has no tool_result in the next message' }
      }
    }
  },
}

const resultAfterCall: Rule<AnthropicView> = {
  rule: 'result-after-call',
  source: 'anthropics/claude-code#18947',
  *check({ turns }) {
    for (const [index, turn] of turns.entries()) {
      const before = turns[index - 1]
      const calls = before?.role === 'assistant' ? callsOf(before.blocks) : []
      const known = new Set(calls.map(({ block }) => textOf(block, 'id')))
      for (const result of resultsOf(turn)) {
        if (!known.has(idOfResult(result)))
          yield { path: `${result.path}.tool_use_id`, message: 'answers no tool_use of the message before' }
      }
    }
  },
}

const callUnique: Rule<AnthropicView> = {
  rule: 'call-id-unique',
  source: 'CherryHQ/cherry-studio#14128',
  *check({ turns }) {
    const calls = turns.flatMap(({ blocks }) => callsOf(blocks))
    for (const { path } of repeated(calls, ({ block }) => textOf(block, 'id')))
      yield { path: `${path}.id`, message: 'is the id of an earlier tool_use' }
  },
}

const resultUnique: Rule<AnthropicView> = {
  rule: 'result-unique',
  source: 'vectorize-io/hindsight#4250',
  *check({ turns }) {
    for (const turn of turns) {
      for (const { path } of repeated(resultsOf(turn), idOfResult))
        yield { path: `${path}.tool_use_id`, message: 'is answered by an earlier tool_result' }
    }
  },
}

/** Bedrock's words; the Messages API asks for the same. */
const resultsFirst: Rule<AnthropicView> = {
  rule: 'results-first',
  source: 'Amazon-Q-Developer/language-servers#1235',
  *check({ turns }) {
    for (const { blocks } of turns) {
      const other = blocks.findIndex(({ type }) => type !== 'tool_result')
      for (const { type, path } of other < 0 ? [] : blocks.slice(other)) {
        if (type === 'tool_result') yield { path, message: 'must stand in front of all else in its message' }
      }
    }
  },
}

const idShape: Rule<AnthropicView> = {
  rule: 'call-id-shape',
  source: 'tailcallhq/forgecode#1142',
  *check({ turns }) {
    for (const { block, type, path } of turns.flatMap(({ blocks }) => blocks)) {
      const key = type === 'tool_use' ? 'id' : type === 'tool_result' ? 'tool_use_id' : undefined
      const id = key === undefined ? undefined : textOf(block, key)
      if (key !== undefined && !/^[a-zA-Z0-9_-]+$/.test(id ?? ''))
        yield { path: `${path}.${key}`, message: 'must match ^[a-zA-Z0-9_-]+$' }
    }
  },
}

/** As clients of many providers cut them. */
const idLength: Rule<AnthropicView> = {
  rule: 'call-id-length',
  source: 'earendil-works/pi',
  *check({ turns }) {
    for (const { block, path } of turns.flatMap(({ blocks }) => callsOf(blocks))) {
      if ((textOf(block, 'id') ?? '').length > 64)
        yield { path: `${path}.id`, message: 'must have at most 64 characters' }
    }
  },
}

const serverId: Rule<AnthropicView> = {
  rule: 'server-call-id-shape',
  source: 'ding113/claude-code-hub#470',
  *check({ turns }) {
    for (const { block, type, path } of turns.flatMap(({ blocks }) => blocks)) {
      if (type === 'server_tool_use' && !/^srvtoolu_[a-zA-Z0-9_]+$/.test(textOf(block, 'id') ?? ''))
        yield { path: `${path}.id`, message: 'must match ^srvtoolu_[a-zA-Z0-9_]+$' }
    }
  },
}

const serverResult: Rule<AnthropicView> = {
  rule: 'server-result-after-call',
  source: 'anthropics/claude-code#64383',
  *check({ turns }) {
    for (const { blocks } of turns) {
      const known = new Set<unknown>()
      for (const { block, type, path } of blocks) {
        if (type === 'server_tool_use' || type === 'mcp_tool_use') known.add(block.id)
        const isResult = typeof type === 'string' && /^\w+_tool_result$/.test(type)
        if (isResult && !known.has(block.tool_use_id))
          yield { path: `${path}.tool_use_id`, message: 'answers no call of the server before it' }
      }
    }
  },
}

const inputObject: Rule<AnthropicView> = {
  rule: 'input-is-object',
  source: 'andreasjansson/greger.el#60',
  *check({ turns }) {
    for (const { block, path } of turns.flatMap(({ blocks }) => callsOf(blocks))) {
      if (!isObject(block.input)) yield { path: `${path}.input`, message: 'must be an object' }
    }
  },
}

const failureTold: Rule<AnthropicView> = {
  rule: 'failed-result-present',
  source: 'jlevy/markform#153',
  *check({ turns }) {
    for (const { block, path } of turns.flatMap(resultsOf)) {
      const { content, is_error: isError } = block
      const isEmpty = Array.isArray(content) ? content.length === 0 : isBlank(String(content ?? ''))
      if (isError === true && isEmpty)
        yield { path: `${path}.content`, message: 'must not be empty where is_error is true' }
    }
  },
}

function callsOf(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  return blocks.filter(({ type }) => type === 'tool_use')
}

function resultsOf(turn: AnthropicView['turns'][number] | undefined): PlacedBlock[] {
  return turn?.blocks.filter(({ type }) => type === 'tool_result') ?? []
}

function idOfResult({ block }: PlacedBlock): string | undefined {
  return textOf(block, 'tool_use_id')
}

export const toolRules: readonly Rule<AnthropicView>[] = [
  callAnswered,
  resultAfterCall,
  callUnique,
  resultUnique,
  resultsFirst,
  idShape,
  idLength,
  serverId,
  serverResult,
  inputObject,
  failureTold,
]
