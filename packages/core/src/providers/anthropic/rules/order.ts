// Who speaks when in a request of the Messages API.

import type { Rule } from '../../rule.ts'
import type { AnthropicView } from './view.ts'

const roles: readonly unknown[] = ['user', 'assistant', 'system']

const present: Rule<AnthropicView> = {
  rule: 'messages-present',
  source: 'langchain-ai/langchain#31657',
  *check({ messages }) {
    if (messages.length === 0) yield { path: 'messages', message: 'must hold a message' }
  },
}

const knownRole: Rule<AnthropicView> = {
  rule: 'role-known',
  source: 'docs.anthropic.com/claude/reference/messages_post',
  *check({ messages }) {
    for (const { role, path } of messages) {
      if (!roles.includes(role))
        yield { path: `${path}.role`, message: `must be user or assistant, not ${String(role)}` }
    }
  },
}

/** Not enforced by every model, but by Bedrock. */
const firstUser: Rule<AnthropicView> = {
  rule: 'first-is-user',
  source: 'langgenius/dify#12340',
  *check({ messages: [first] }) {
    if (first?.role === 'assistant')
      yield { path: `${first.path}.role`, message: 'must be user: it is the first' }
  },
}

const lastUser: Rule<AnthropicView> = {
  rule: 'last-is-user',
  source: 'smallmain/vscode-unify-chat-provider#249',
  *check({ messages, isHistory }) {
    const last = messages.at(-1)
    if (!isHistory && last?.role === 'assistant')
      yield { path: `${last.path}.role`, message: 'must be user: it is the last' }
  },
}

export const orderRules: readonly Rule<AnthropicView>[] = [present, knownRole, firstUser, lastUser]
