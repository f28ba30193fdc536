// Messages and reasoning of the Responses API.

import { itemsOf } from '../../json.ts'
import { illFormed, type Rule, repeated, textOf } from '../../rule.ts'
import type { ItemsView } from './view.ts'

const roles: readonly unknown[] = ['user', 'assistant', 'system', 'developer']

const present: Rule<ItemsView> = {
  rule: 'items-present',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    if (items.length === 0) yield { path: 'input', message: 'must hold an item' }
  },
}

const knownType: Rule<ItemsView> = {
  rule: 'item-typed',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    for (const { type, path } of items) {
      if (typeof type !== 'string' || type === '') yield { path: `${path}.type`, message: 'must be there' }
    }
  },
}

const knownRole: Rule<ItemsView> = {
  rule: 'role-known',
  source: 'platform.openai.com/docs/api-reference/responses/create',
  *check({ items }) {
    for (const { item, type, path } of items) {
      if (type === 'message' && !roles.includes(item.role))
        yield {
          path: `${path}.role`,
          message: `must be one of ${roles.join(', ')}, not ${String(item.role)}`,
        }
    }
  },
}

/** As for all models without prefill. */
const lastUser: Rule<ItemsView> = {
  rule: 'last-is-user-or-output',
  source: 'earendil-works/pi',
  *check({ items, isHistory }) {
    const last = items.at(-1)
    if (!isHistory && last?.type === 'message' && last.item.role === 'assistant')
      yield { path: `${last.path}.role`, message: 'must be user, or an output: it is the last' }
  },
}

const contentPresent: Rule<ItemsView> = {
  rule: 'content-present',
  source: 'earendil-works/pi',
  *check({ items }) {
    for (const { item, type, path } of items) {
      const { content } = item
      const isEmpty =
        content === '' || (Array.isArray(content) ? content.length === 0 : typeof content !== 'string')
      if (type === 'message' && isEmpty)
        yield { path: `${path}.content`, message: 'must be a text or a list of parts, and not empty' }
    }
  },
}

/** What the model wrote is `output_text`, what it is told `input_text`. */
const partSide: Rule<ItemsView> = {
  rule: 'part-on-its-side',
  source: 'epam/ai-dial-adapter-openai#511',
  *check({ items }) {
    for (const { item, type, path } of items) {
      if (type !== 'message') continue
      const isOutput = item.role === 'assistant'
      for (const [index, part] of itemsOf(item.content).entries()) {
        const name = textOf(part, 'type') ?? ''
        const fits = isOutput ? /^(output_text|refusal)$/.test(name) : /^input_\w+$/.test(name)
        if (!fits)
          yield {
            path: `${path}.content[${index}].type`,
            message: `${name || 'nothing'} cannot stand in a message of role ${String(item.role)}`,
          }
      }
    }
  },
}

const itemUnique: Rule<ItemsView> = {
  rule: 'item-id-unique',
  source: 'vercel/ai#13307',
  *check({ items }) {
    for (const { path } of repeated(items, ({ item }) => textOf(item, 'id')))
      yield { path: `${path}.id`, message: 'is the id of an earlier item' }
  },
}

const prefixes: { readonly [type: string]: string } = { function_call: 'fc', reasoning: 'rs', message: 'msg' }

const itemId: Rule<ItemsView> = {
  rule: 'item-id-shape',
  source: 'nodetool-ai/nodetool#4252, earendil-works/pi#1022',
  *check({ items }) {
    for (const { item, type, path } of items) {
      const id = textOf(item, 'id')
      if (id === undefined || type === 'item_reference') continue
      const prefix = typeof type === 'string' ? (prefixes[type] ?? '') : ''
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id))
        yield { path: `${path}.id`, message: 'must have at most 64 letters, digits, "_" and "-"' }
      else if (!id.startsWith(prefix)) yield { path: `${path}.id`, message: `must begin with ${prefix}` }
    }
  },
}

const reasoningFollowed: Rule<ItemsView> = {
  rule: 'reasoning-followed',
  source: 'continuedev/continue#8933',
  *check({ items }) {
    for (const [index, { type, path }] of items.entries()) {
      if (type !== 'reasoning') continue
      const next = items.slice(index + 1).find((each) => each.type !== 'reasoning')
      const isOutput =
        next !== undefined &&
        (next.type === 'message' ? next.item.role === 'assistant' : !/_output$/.test(String(next.type)))
      if (!isOutput) yield { path, message: 'must stand before the message or call that it led to' }
    }
  },
}

const reasoningMembers: Rule<ItemsView> = {
  rule: 'reasoning-members-known',
  source: 'BerriAI/litellm#13420',
  *check({ items }) {
    for (const { item, type, path } of items) {
      if (type === 'reasoning' && item.status !== undefined && item.status !== null)
        yield { path: `${path}.status`, message: 'is no member of reasoning that is sent' }
    }
  },
}

const reasoningKnown: Rule<ItemsView> = {
  rule: 'reasoning-found',
  source: 'can1357/oh-my-pi#41',
  *check({ items }) {
    for (const { item, type, path } of items) {
      if (type === 'reasoning' && !textOf(item, 'id') && !textOf(item, 'encrypted_content'))
        yield { path, message: 'must have an id or encrypted_content' }
    }
  },
}

const unicode: Rule<ItemsView> = {
  rule: 'text-well-formed',
  source: 'earendil-works/pi',
  *check({ items }) {
    for (const { item, path } of items) yield* illFormed(item, path)
  },
}

export const contentRules: readonly Rule<ItemsView>[] = [
  present,
  knownType,
  knownRole,
  lastUser,
  contentPresent,
  partSide,
  itemUnique,
  itemId,
  reasoningFollowed,
  reasoningMembers,
  reasoningKnown,
  unicode,
]
