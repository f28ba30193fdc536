import { describe, expect, test } from 'vitest'
import { classifyProviderError } from './classify.ts'
import { embeddedError, statusInText } from './embedded.ts'
import { plainText } from './plain-text.ts'
import { maxReadText, readProviderError, unwrapError } from './unwrap.ts'

const tooLong = 'prompt is too long: 202609 tokens > 200000 maximum'
const anthropic = { type: 'error', error: { type: 'invalid_request_error', message: tooLong } }

describe('readProviderError', () => {
  test.each<[string, unknown, ReturnType<typeof readProviderError>]>([
    ['nothing', undefined, { text: '' }],
    ['a string', tooLong, { text: tooLong }],
    ['a string with a status', `Error: 400 ${tooLong}`, { status: 400, text: `Error: 400 ${tooLong}` }],
    [
      'Anthropic’s APIError',
      Object.assign(new Error(`400 ${JSON.stringify(anthropic)}`), { status: 400, error: anthropic }),
      { status: 400, type: 'invalid_request_error', text: tooLong },
    ],
    [
      'OpenAI’s APIError',
      Object.assign(new Error('429 Rate limit reached'), {
        status: 429,
        code: 'rate_limit_exceeded',
        type: 'tokens',
        error: { message: 'Rate limit reached', code: 'rate_limit_exceeded', type: 'tokens' },
      }),
      { status: 429, code: 'rate_limit_exceeded', type: 'tokens', text: 'Rate limit reached' },
    ],
    [
      'Google’s ApiError, whose message is JSON',
      new Error(
        '{"error":{"code":400,"message":"Corrupted thought signature.","status":"INVALID_ARGUMENT"}}',
      ),
      { status: 400, code: 'INVALID_ARGUMENT', text: 'Corrupted thought signature.' },
    ],
    [
      'Google’s list',
      [{ error: { code: 400, message: 'a', errors: [{ message: 'a', reason: 'badRequest' }] } }],
      { status: 400, text: 'a' },
    ],
    [
      'an AWS exception',
      Object.assign(new Error('Input is too long for requested model.'), {
        name: 'ValidationException',
        $fault: 'client',
        $metadata: { httpStatusCode: 400, requestId: 'r' },
      }),
      { status: 400, type: 'ValidationException', text: 'Input is too long for requested model.' },
    ],
    [
      'AI SDK’s APICallError',
      Object.assign(new Error('Bad Request'), {
        statusCode: 400,
        requestBodyValues: { messages: [{ content: 'x' }] },
        responseBody: '{"error":{"message":"m","type":"t","code":"c"}}',
      }),
      { status: 400, code: 'c', type: 't', text: 'm' },
    ],
    [
      'axios',
      Object.assign(new Error('Request failed with status code 402'), {
        code: 'ERR_BAD_REQUEST',
        response: { status: 402, data: { error: { message: 'Insufficient Balance' } } },
      }),
      { status: 402, code: 'ERR_BAD_REQUEST', text: 'Insufficient Balance' },
    ],
    [
      'MiniMax’s base_resp',
      { base_resp: { status_code: 2013, status_msg: 'invalid params' } },
      { code: '2013', text: 'invalid params' },
    ],
    ['Baidu’s error_msg', { error_code: 336007, error_msg: 'm' }, { code: '336007', text: 'm' }],
    ['Ollama’s and xAI’s error', { code: 'invalid', error: 'm' }, { code: 'invalid', text: 'm' }],
    ['FastAPI’s detail', { detail: [{ loc: ['body'], msg: 'm', type: 't' }] }, { type: 't', text: 'm' }],
    ['Tencent’s Response', { Response: { Error: { Code: 'C', Message: 'm' } } }, { code: 'C', text: 'm' }],
    [
      'a chain of causes',
      new Error('a', { cause: new Error('b', { cause: { status: 413, message: 'c' } }) }),
      { status: 413, text: 'c' },
    ],
    [
      'OpenRouter’s metadata.raw',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"message":"m","type":"t","code":"3230"}', provider_name: 'Mistral' },
        },
      },
      { status: 400, code: '3230', type: 't', text: 'm' },
    ],
    [
      'Vertex’s JSON in message, the inner status first',
      { error: { code: 400, message: JSON.stringify({ error: { code: 429, message: 'm', status: 'S' } }) } },
      { status: 429, code: 'S', text: 'm' },
    ],
    ['an AggregateError', new AggregateError([new Error('a'), new Error('b')], 'all'), { text: 'b' }],
    ['another status than of an error', { status: 200, message: 'm' }, { text: 'm' }],
    ['a status as text', { status: '503', message: 'm' }, { status: 503, text: 'm' }],
  ])('%s', (_, error, details) => {
    expect(readProviderError(error)).toEqual(details)
  })

  test('Python’s print, cut off, escaped once more', () => {
    const printed = `openai.BadRequestError: Error code: 400 - {'error': {'message': "Invalid 'x': it\\'s", 'type': 'invalid_request_error', 'param': None, 'code': 'c'}}`
    expect(readProviderError(printed)).toEqual({
      status: 400,
      code: 'c',
      type: 'invalid_request_error',
      text: "Invalid 'x': it's",
    })
    expect(readProviderError('400 {"type":"error","error":{"type":"t","message":"prompt is too lo')).toEqual({
      status: 400,
      type: 't',
      text: 'prompt is too lo',
    })
    expect(
      readProviderError('{\\"error\\":{\\"message\\":\\"a \\\\\\"b\\\\\\" c\\",\\"code\\":\\"d\\"}}').code,
    ).toBe('d')
    expect(
      readProviderError(
        `400 - {'error': {'message': 'Provider returned error', 'metadata': {'raw': '{"error":{"message":"inner \\'one\\'","type":"x"}}'}}}`,
      ).text,
    ).toBe("inner 'one'")
    expect(
      readProviderError('InvalidRequestError(message="too long", param=None, http_status=400)').text,
    ).toBe('too long')
  })

  test('long texts are cut', () => {
    expect(readProviderError('x'.repeat(1_000_000)).text).toHaveLength(4096)
    expect(readProviderError({ code: 'c'.repeat(1_000_000), type: 't'.repeat(1_000_000) }).code).toHaveLength(
      200,
    )
  })
})

describe('embeddedError', () => {
  test.each([
    '',
    'prose',
    'a {b} c',
    'Tool failed with message: "prompt is too long"',
    '"',
    '{',
    '}{',
    '{"a":',
  ])('prose is prose: %s', (text) => {
    expect(embeddedError(text)).toBeUndefined()
  })

  test('what is around it stays', () => {
    expect(embeddedError('Error: 400 {"a":1} Received Model Group=x')).toEqual({
      around: 'Error: 400   Received Model Group=x',
      value: { a: 1 },
    })
    expect(embeddedError('POST "https://x": 400 Bad Request "a message"')?.value).toBe('a message')
    expect(embeddedError('"a \\"message\\""')?.value).toBe('a "message"')
  })
})

test.each<[string, number | undefined]>([
  ['400 {', 400],
  ['Error code: 429 - ', 429],
  ['API Error: 413 ', 413],
  ['[400]: x', 400],
  ['litellm.X: status=503', 503],
  ['Requested tokens (516) exceed', undefined],
  ['code 500 tokens', undefined],
  ['200 OK', undefined],
  ['4000', undefined],
])('the status in %s', (text, status) => {
  expect(statusInText(text)).toBe(status)
})

describe('plainText', () => {
  test.each([
    ['`tool_use` ids “x” \'y\' "z"', 'tool_use ids x y z'],
    ['This  MODEL\'s\n "a b" is', 'this models ... is'],
    ["for 'a' and 'don't do' it's", 'for a and ... its'],
    ['（全角）：ＡＢＣ', '(全角):abc'],
    ['输入“上下文长度”内容', '输入...内容'],
    ['a\\nb \\"c\\"', 'a b c'],
    ["an 'open one", 'an open one'],
  ])('%s', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })
})

describe('hostile input', () => {
  const thrower = () => {
    throw new Error('no')
  }

  test('getters and proxies that throw', () => {
    const error = Object.defineProperties({} as Record<string, unknown>, {
      message: { get: thrower },
      status: { get: thrower },
      cause: { get: () => new Error('prompt is too long') },
    })
    expect(classifyProviderError(error)).toBe('context-overflow')
    const traps = { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower }
    expect(readProviderError(new Proxy({}, traps))).toEqual({ text: '' })
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    expect(readProviderError({ error: proxy, message: 'm' })).toEqual({ text: 'm' })
  })

  test('cycles', () => {
    const error: Record<string, unknown> = { message: 'm' }
    error.cause = error
    error.error = { response: error, raw: [error] }
    expect(unwrapError(error).texts).toEqual(['m'])
  })

  test('nesting without end is left after a bounded number of looks', () => {
    let looks = 0
    const endless: object = new Proxy(
      {},
      {
        get: (_, key) => {
          looks++
          return key === 'message' ? `text ${looks}` : key === 'length' ? undefined : fresh()
        },
      },
    )
    const fresh = (): object => new Proxy({}, { get: (_, key) => Reflect.get(endless, key) })
    expect(classifyProviderError(endless)).toBe('other')
    expect(looks).toBeLessThan(2000)
    expect(unwrapError(endless).texts.length).toBeLessThanOrEqual(24)

    const deep = new Error('prompt is too long')
    let chain = deep
    for (let depth = 0; depth < 10_000; depth++) chain = new Error('outer', { cause: chain })
    expect(unwrapError(chain).texts).toEqual(['outer'])
  })

  test('JSON in texts is opened three times', () => {
    const wrap = (text: string, times: number): string =>
      times === 0 ? text : JSON.stringify({ error: { message: wrap(text, times - 1) } })
    expect(readProviderError(wrap('m', 3)).text).toBe('m')
    expect(readProviderError(wrap('m', 4)).text).toBe(wrap('m', 1))
  })

  test('a text is read up to a bound, whatever is in it', () => {
    const parts = [
      '"',
      "'a ",
      '`',
      '\\',
      '{',
      '[',
      '{"message":"',
      "{'message': '",
      '400 "',
      'x\\"message\\":\\"',
      '1',
    ]
    for (const part of parts) {
      const long = part.repeat(1_000_000 / part.length)
      const short = long.slice(0, maxReadText)
      expect(unwrapError(long)).toEqual(unwrapError(short))
      expect(classifyProviderError(long)).toBe('other')
    }
  })
})
