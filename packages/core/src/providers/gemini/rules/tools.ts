// Calls and responses of generateContent: a turn of calls is followed by one of as many responses and nothing else.

import { isObject, own } from '../../json.ts'
import { type Rule, textOf } from '../../rule.ts'
import { currentTurn, firstCall } from '../signatures.ts'
import type { GeminiView, PlacedPart } from './view.ts'

const callAfterUser: Rule<GeminiView> = {
  rule: 'call-after-user',
  source: 'continuedev/continue#11164',
  *check({ contents }) {
    for (const [index, { calls, path }] of contents.entries()) {
      if (calls.length > 0 && contents[index - 1]?.role !== 'user')
        yield { path, message: 'must come after a turn of the user or of responses' }
    }
  },
}

const responseAfterCall: Rule<GeminiView> = {
  rule: 'response-after-call',
  source: 'GoogleCloudPlatform/generative-ai#368',
  *check({ contents }) {
    for (const [index, { responses, path }] of contents.entries()) {
      if (responses.length > 0 && !contents[index - 1]?.calls.length)
        yield { path, message: 'must come right after a turn of calls' }
    }
  },
}

const responseCount: Rule<GeminiView> = {
  rule: 'response-count',
  source: 'google-gemini/gemini-cli#16415',
  *check({ contents, isHistory }) {
    for (const [index, { calls, path }] of contents.entries()) {
      const next = contents[index + 1]
      if (calls.length === 0 || (isHistory && next === undefined)) continue
      const count = next?.responses.length ?? 0
      if (count !== calls.length)
        yield {
          path: next?.path ?? path,
          message: `must hold as many responses as there are calls: ${calls.length}, not ${count}`,
        }
    }
  },
}

const responsesAlone: Rule<GeminiView> = {
  rule: 'responses-alone',
  source: 'agentgateway/agentgateway#2811',
  *check({ contents }) {
    for (const { parts, responses } of contents) {
      for (const { data, path } of responses.length === 0 ? [] : parts) {
        if (!data.includes('functionResponse'))
          yield { path, message: 'cannot stand beside a functionResponse' }
      }
    }
  },
}

const responseNamed: Rule<GeminiView> = {
  rule: 'response-named-as-call',
  source: 'ai.google.dev/gemini-api/docs/function-calling',
  *check({ contents }) {
    for (const [index, { responses }] of contents.entries()) {
      const names = (contents[index - 1]?.calls ?? []).map(nameOf('functionCall'))
      for (const response of responses) {
        if (!names.includes(nameOf('functionResponse')(response)))
          yield {
            path: `${response.path}.functionResponse.name`,
            message: 'is the name of no call of the turn before',
          }
      }
    }
  },
}

function nameOf(member: 'functionCall' | 'functionResponse') {
  return ({ part }: PlacedPart) => textOf(own(part, member), 'name')
}

const argsObject: Rule<GeminiView> = {
  rule: 'args-are-object',
  source: 'ai.google.dev/api/caching#FunctionCall',
  *check({ contents }) {
    for (const { part, path } of contents.flatMap(({ calls }) => calls)) {
      const call = part.functionCall
      const args = isObject(call) ? call.args : null
      if (args !== undefined && !isObject(args))
        yield { path: `${path}.functionCall.args`, message: 'must be an object' }
    }
  },
}

const responseObject: Rule<GeminiView> = {
  rule: 'response-is-object',
  source: 'badlogic/pi-mono#213',
  *check({ contents }) {
    for (const { part, path } of contents.flatMap(({ responses }) => responses)) {
      if (!isObject(own(isObject(part.functionResponse) ? part.functionResponse : {}, 'response')))
        yield { path: `${path}.functionResponse.response`, message: 'must be an object' }
    }
  },
}

/** Older models need none: looked at only where a call of the turn has one. */
const firstCallSigned: Rule<GeminiView> = {
  rule: 'first-call-signed',
  source: 'ai.google.dev/gemini-api/docs/thought-signatures',
  *check({ contents }) {
    const turn = contents.slice(currentTurn(contents.map(({ content }) => content)))
    if (!turn.some(({ calls }) => calls.some(({ part }) => part.thoughtSignature !== undefined))) return
    for (const { content, parts } of turn) {
      const call = parts[firstCall(content)]
      if (call && call.part.thoughtSignature === undefined)
        yield {
          path: `${call.path}.thoughtSignature`,
          message: 'must be there: it is the first call of its step',
        }
    }
  },
}

export const toolRules: readonly Rule<GeminiView>[] = [
  callAfterUser,
  responseAfterCall,
  responseCount,
  responsesAlone,
  responseNamed,
  argsObject,
  responseObject,
  firstCallSigned,
]
