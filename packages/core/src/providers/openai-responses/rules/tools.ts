// Calls and outputs of the Responses API: both are there, the call first, under one `call_id`.

import { parseJson } from '../../../format/json.ts'
import { isObject } from '../../json.ts'
import { type Rule, repeated, textOf } from '../../rule.ts'
import type { ItemsView, PlacedItem } from './view.ts'

const callTypes: readonly unknown[] = ['function_call', 'custom_tool_call']
const outputTypes: readonly unknown[] = ['function_call_output', 'custom_tool_call_output']
const isCall = ({ type }: PlacedItem) => callTypes.includes(type)
const isOutput = ({ type }: PlacedItem) => outputTypes.includes(type)
const idOf = ({ item }: PlacedItem) => textOf(item, 'call_id')

const callAnswered: Rule<ItemsView> = {
  rule: 'call-answered',
  source: 'router-for-me/CLIProxyAPI#2368',
  *check({ items, isHistory }) {
    for (const [index, call] of items.entries()) {
      if (!isCall(call)) continue
      const after = items.slice(index + 1)
      // The caller of a history may add the outputs.
      if (isHistory && after.every((each) => isCall(each) || isOutput(each))) continue
      if (!after.some((each) => isOutput(each) && idOf(each) === idOf(call)))
        yield { path: call.path, message: 'has no output' }
    }
  },
}

/** An output may also answer a call that is only referred to. */
const outputAfterCall: Rule<ItemsView> = {
  rule: 'output-after-call',
  source: 'continuedev/continue#10092',
  *check({ items }) {
    const known = new Set<unknown>()
    for (const each of items) {
      if (each.type === 'item_reference') return
      if (isCall(each)) known.add(idOf(each))
      else if (isOutput(each) && !known.has(idOf(each)))
        yield { path: `${each.path}.call_id`, message: 'answers no call before it' }
    }
  },
}

const outputUnique: Rule<ItemsView> = {
  rule: 'output-unique',
  source: 'vercel/ai#13307',
  *check({ items }) {
    for (const { path } of repeated(items.filter(isOutput), idOf))
      yield { path: `${path}.call_id`, message: 'is answered by an earlier output' }
  },
}

const callUnique: Rule<ItemsView> = {
  rule: 'call-id-unique',
  source: 'vercel/ai#13307',
  *check({ items }) {
    for (const { path } of repeated(items.filter(isCall), idOf))
      yield { path: `${path}.call_id`, message: 'is that of an earlier call' }
  },
}

const idLength: Rule<ItemsView> = {
  rule: 'call-id-length',
  source: 'AnswerDotAI/fastllm#45',
  *check({ items }) {
    for (const each of items.filter((item) => isCall(item) || isOutput(item))) {
      const id = idOf(each)
      if (!id) yield { path: `${each.path}.call_id`, message: 'must be there' }
      else if (id.length > 64)
        yield { path: `${each.path}.call_id`, message: 'must have at most 64 characters' }
    }
  },
}

const callShape: Rule<ItemsView> = {
  rule: 'call-shape',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    for (const { item, path } of items.filter(isCall)) {
      if (!textOf(item, 'name')) yield { path: `${path}.name`, message: 'must be there' }
    }
  },
}

const argumentsText: Rule<ItemsView> = {
  rule: 'arguments-are-json',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    for (const { item, type, path } of items) {
      if (type !== 'function_call') continue
      const text = item.arguments
      if (typeof text !== 'string' || !isObject(parseJson(text)))
        yield { path: `${path}.arguments`, message: 'must be the JSON text of an object' }
    }
  },
}

const outputShape: Rule<ItemsView> = {
  rule: 'output-is-text-or-parts',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    for (const { item, path } of items.filter(isOutput)) {
      if (typeof item.output !== 'string' && !Array.isArray(item.output))
        yield { path: `${path}.output`, message: 'must be a text or a list of parts' }
    }
  },
}

export const toolRules: readonly Rule<ItemsView>[] = [
  callAnswered,
  outputAfterCall,
  outputUnique,
  callUnique,
  idLength,
  callShape,
  argumentsText,
  outputShape,
]
