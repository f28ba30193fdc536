// The shapes in which one refusal reaches a host: SDKs' errors, bodies, texts of gateways and logs. Used by tests only.

import type { ErrorRow } from './row.ts'

type Refusal = Pick<ErrorRow, 'status' | 'type' | 'code' | 'text'>

/** User text that no shape may ever be judged by. */
const sent = {
  messages: [
    { role: 'user', content: 'prompt is too long; tool_use ids were found without tool_result blocks' },
  ],
}

/** How Python prints a string. */
function pythonText(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
}

/** Shapes by name; `undefined` members are left out where JSON is written. */
export const shapes: Readonly<Record<string, (refusal: Refusal) => unknown>> = {
  'a plain string': ({ text }) => text,
  'a body of status and message': ({ status, text }) => ({ status, error: { message: text } }),
  'an Error with status': ({ status, text }) => Object.assign(new Error(text), { status }),
  'an OpenAI body': ({ text, type, code }) => ({ error: { message: text, type, code, param: null } }),
  'an OpenAI APIError': ({ status, text, type, code }) =>
    Object.assign(new Error(status ? `${status} ${text}` : text), {
      status,
      error: { message: text, type, code },
      type,
      code,
      request_id: 'req_1',
    }),
  'an Anthropic APIError': ({ status, text, type, code }) => {
    const body = { type: 'error', error: { type, code, message: text }, request_id: 'req_1' }
    return Object.assign(new Error(`${status ?? 400} ${JSON.stringify(body)}`), { status, error: body })
  },
  'its message alone': ({ status, text, type, code }) =>
    `API Error: ${status ?? 400} ${JSON.stringify({ type: 'error', error: { type, code, message: text } })}`,
  'a Google ApiError': ({ status, text, code }) =>
    Object.assign(new Error(JSON.stringify({ error: { code: status, message: text, status: code } })), {
      name: 'ApiError',
      status,
    }),
  'a Google list': ({ status, text, code }) => [{ error: { code: status, message: text, status: code } }],
  'an AWS exception': ({ status, text, type, code }) =>
    Object.assign(new Error(text), {
      name: type ?? code,
      $fault: 'client',
      $metadata: { httpStatusCode: status },
    }),
  'an AI SDK error': ({ status, text, type, code }) =>
    Object.assign(new Error('Bad Request'), {
      name: 'AI_APICallError',
      url: 'https://api.example/v1/chat/completions',
      requestBodyValues: sent,
      statusCode: status,
      responseBody: JSON.stringify({ error: { message: text, type, code } }),
      isRetryable: false,
    }),
  'an AI SDK retry error': ({ status, text, type, code }) => {
    const last = Object.assign(new Error(text), {
      statusCode: status,
      data: { error: { message: text, type, code } },
    })
    return Object.assign(new Error('Failed after 3 attempts.'), {
      errors: [new Error('x'), last],
      lastError: last,
    })
  },
  'a LangChain wrap': ({ status, text, type, code }) =>
    Object.assign(new Error('Node "agent" failed'), {
      cause: Object.assign(new Error(`${text}\n\nTroubleshooting URL: https://example.org/errors/\n`), {
        status,
        error: { message: text, type, code },
      }),
    }),
  'an axios error': ({ status, text, type, code }) =>
    Object.assign(new Error('Request failed with status code 400'), {
      code: 'ERR_BAD_REQUEST',
      config: { data: JSON.stringify(sent) },
      request: sent,
      response: { status, headers: {}, config: sent, data: { error: { message: text, type, code } } },
    }),
  'a body as text': ({ text, type, code }) => JSON.stringify({ error: { message: text, type, code } }),
  'an event of a stream': ({ text, type, code }) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, code, message: text } })}\n\n`,
  'a flat body': ({ text, code }) => ({ code, message: text, request_id: 'r' }),
  'an error that is a string': ({ text, code }) => ({ code, error: text }),
  'OpenRouter around it': ({ text, type, code, status }) => ({
    error: {
      message: 'Provider returned error',
      code: status ?? 400,
      metadata: { raw: JSON.stringify({ error: { message: text, type, code } }), provider_name: 'X' },
    },
  }),
  'JSON in JSON in JSON': ({ text, type, code }) => {
    const inner = JSON.stringify({ type: 'error', error: { message: text, type, code } })
    const middle = JSON.stringify({ error: { message: inner, status: 'INVALID_ARGUMENT' } })
    return JSON.stringify({ error: { message: `upstream: ${middle}`, type: 'upstream_error' } })
  },
  'Python’s print': ({ status, text, type, code }) =>
    `litellm.BadRequestError: Error code: ${status ?? 400} - {'error': {'message': ${pythonText(text)}, 'type': ${
      type ? pythonText(type) : 'None'
    }, 'param': None, 'code': ${code ? pythonText(code) : 'None'}}, 'request_id': 'r'}`,
}
