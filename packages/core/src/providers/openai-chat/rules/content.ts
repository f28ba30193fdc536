// Roles and content of Chat Completions.

import { illFormed, type Rule, textOf } from '../../rule.ts'
import type { ChatView } from './view.ts'

const roles: readonly unknown[] = ['developer', 'system', 'user', 'assistant', 'tool', 'function']

const present: Rule<ChatView> = {
  rule: 'messages-present',
  source: 'CopilotKit/CopilotKit#529',
  *check({ messages }) {
    if (messages.length === 0) yield { path: 'messages', message: 'must hold a message' }
  },
}

const knownRole: Rule<ChatView> = {
  rule: 'role-known',
  source: 'platform.openai.com/docs/api-reference/chat/create',
  *check({ messages }) {
    for (const { role, path } of messages) {
      if (!roles.includes(role))
        yield { path: `${path}.role`, message: `must be one of ${roles.join(', ')}, not ${String(role)}` }
    }
  },
}

/** OpenAI's own models let it pass; others of the dialect do not. */
const lastUser: Rule<ChatView> = {
  rule: 'last-is-user-or-tool',
  source: 'olimorris/codecompanion.nvim#760',
  *check({ messages, isHistory }) {
    const last = messages.at(-1)
    if (!isHistory && last?.role === 'assistant')
      yield { path: `${last.path}.role`, message: 'must be user or tool: it is the last' }
  },
}

const contentPresent: Rule<ChatView> = {
  rule: 'content-present',
  source: 'docker/docker-agent#63, n8n-io/n8n#36774',
  *check({ messages }) {
    for (const { message, role, content, path } of messages) {
      if (role === 'function' || typeof content === 'string') continue
      if (Array.isArray(content) && content.length > 0) continue
      const isCalling = ['tool_calls', 'function_call', 'audio', 'refusal'].some(
        (key) => message[key] != null,
      )
      if (role === 'assistant' && isCalling && !Array.isArray(content)) continue
      yield { path: `${path}.content`, message: 'must be a text or a list of parts' }
    }
  },
}

const assistantNotEmpty: Rule<ChatView> = {
  rule: 'assistant-says-something',
  source: 'anomalyco/opencode#37887',
  *check({ messages }) {
    for (const { message, role, content, calls, path } of messages) {
      const isOther = ['function_call', 'audio', 'refusal'].some((key) => message[key] != null)
      if (role === 'assistant' && content === '' && calls.length === 0 && !isOther)
        yield { path: `${path}.content`, message: 'must not be empty where there are no calls' }
    }
  },
}

const partNotEmpty: Rule<ChatView> = {
  rule: 'text-part-present',
  source: 'dirge-code/dirge#757',
  *check({ messages }) {
    for (const { part, type, path } of messages.flatMap(({ parts }) => parts)) {
      if (type === 'text' && textOf(part, 'text') === '')
        yield { path: `${path}.text`, message: 'must not be empty' }
    }
  },
}

const partTypes: { readonly [role: string]: readonly string[] } = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  system: ['text'],
  developer: ['text'],
}

const knownPart: Rule<ChatView> = {
  rule: 'part-known',
  source: 'platform.openai.com/docs/api-reference/chat/create',
  *check({ messages }) {
    for (const { role, parts } of messages) {
      const types = typeof role === 'string' ? partTypes[role] : undefined
      for (const { type, path } of types === undefined ? [] : parts) {
        if (!types?.includes(String(type)))
          yield {
            path: `${path}.type`,
            message: `${String(type)} cannot stand in a message of role ${String(role)}`,
          }
      }
    }
  },
}

const textInResult: Rule<ChatView> = {
  rule: 'result-is-text',
  source: 'pydantic/pydantic-ai#3253',
  *check({ messages }) {
    for (const { type, path } of messages.flatMap(({ role, parts }) => (role === 'tool' ? parts : []))) {
      if (type !== 'text')
        yield { path: `${path}.type`, message: `${String(type)} cannot stand in a message of role tool` }
    }
  },
}

const maximum = 10_485_760

const textLength: Rule<ChatView> = {
  rule: 'text-length',
  source: 'VectorlyApp/bluebox#31',
  *check({ messages }) {
    for (const { content, path } of messages) {
      if (typeof content === 'string' && content.length > maximum)
        yield { path: `${path}.content`, message: `must have at most ${maximum} characters` }
    }
  },
}

const unicode: Rule<ChatView> = {
  rule: 'text-well-formed',
  source: 'earendil-works/pi',
  *check({ messages }) {
    for (const { message, path } of messages) yield* illFormed(message, path)
  },
}

export const contentRules: readonly Rule<ChatView>[] = [
  present,
  knownRole,
  lastUser,
  contentPresent,
  assistantNotEmpty,
  partNotEmpty,
  knownPart,
  textInResult,
  textLength,
  unicode,
]
