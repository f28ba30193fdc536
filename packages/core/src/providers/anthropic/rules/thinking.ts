// Thinking in a request of the Messages API, as far as a request shows it: whether a signature is genuine it does not.

import { itemsOf } from '../../json.ts'
import { type Rule, textOf } from '../../rule.ts'
import type { AnthropicView, PlacedBlock } from './view.ts'

const isThinking = ({ type }: PlacedBlock) => type === 'thinking' || type === 'redacted_thinking'

const signed: Rule<AnthropicView> = {
  rule: 'thinking-signed',
  source: 'tombii/better-ccflare#52',
  *check({ messages }) {
    for (const { block, type, path } of messages.flatMap(({ blocks }) => blocks)) {
      if (type === 'thinking' && !textOf(block, 'signature'))
        yield { path: `${path}.signature`, message: 'must be there' }
      if (type === 'redacted_thinking' && !textOf(block, 'data'))
        yield { path: `${path}.data`, message: 'must be there' }
    }
  },
}

const notLast: Rule<AnthropicView> = {
  rule: 'thinking-not-last',
  source: 'tailcallhq/forgecode#2107',
  *check({ turns }) {
    for (const { role, blocks } of turns) {
      const last = blocks.at(-1)
      if (role === 'assistant' && last && isThinking(last))
        yield { path: last.path, message: 'cannot be the last block of a message' }
    }
  },
}

/** Where the request given has its `thinking` option. */
const notFinalWhenOff: Rule<AnthropicView> = {
  rule: 'thinking-off',
  source: 'tailcallhq/forgecode#1853',
  *check({ turns, thinking }) {
    const last = turns.at(-1)
    if (textOf(thinking, 'type') !== 'disabled' || last?.role !== 'assistant') return
    for (const block of last.blocks.filter(isThinking))
      yield { path: block.path, message: 'cannot stand in the last message while thinking is disabled' }
  },
}

/** Only the turn whose results end the request is looked at. */
const firstWhenOn: Rule<AnthropicView> = {
  rule: 'thinking-first',
  source: 'Kilo-Org/kilocode#5219',
  *check({ turns, thinking }) {
    if (textOf(thinking, 'type') !== 'enabled') return
    const [call, results] = turns.slice(-2)
    const isOpen = itemsOf(results?.blocks).some((placed) => (placed as PlacedBlock).type === 'tool_result')
    const first = call?.role === 'assistant' && isOpen ? call.blocks[0] : undefined
    if (first && !isThinking(first))
      yield { path: first.path, message: 'must be thinking: it begins the turn that the last results answer' }
  },
}

export const thinkingRules: readonly Rule<AnthropicView>[] = [signed, notLast, notFinalWhenOff, firstWhenOn]
