// Arbitrary messages of Chat Completions and of servers that speak its dialect, odd but legal ones included.

import fc from 'fast-check'
import type { OpenAiInputMessage } from '../openai-chat/types.ts'
import { base64, json, loose, object, optional, text, word } from './values.ts'

const id = fc.constantFrom('call_1', 'call_2', 'functions.bash:0', '')

/** Text of arguments as models write it. */
export const argumentsText: fc.Arbitrary<string> = fc.oneof(
  object.map((value) => JSON.stringify(value)),
  object.map((value) => JSON.stringify(value, null, 1)),
  fc.constantFrom(
    '',
    ' ',
    '{"city": "Os',
    'null',
    '5',
    '"x"',
    '[1]',
    '{"a":1,"a":2}',
    '{"n":1e999}',
    '{"n":1.0}',
  ),
)

const textPart = fc.record({ type: fc.constant('text'), text })
const imagePart = fc.record({
  type: fc.constant('image_url'),
  image_url: loose(
    fc.record({
      url: fc.oneof(
        base64.map((data) => `data:image/png;base64,${data}`),
        fc.constantFrom('https://example.org/a.png', 'data:image/svg+xml,<svg/>', 'gs://bucket/a'),
      ),
      detail: optional(fc.constantFrom('low', 'auto')),
    }),
  ),
})
const filePart = fc.record({
  type: fc.constant('file'),
  file: fc.constantFrom(
    { file_data: 'data:application/pdf;base64,JVBERg==', filename: 'a.pdf' },
    { file_data: 'data:application/pdf;base64,JVBERg==' },
    { file_id: 'file-1' },
    { file_id: 'file-1', filename: 'a.pdf' },
    {},
  ),
})
const otherPart = fc.constantFrom<object>(
  { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
  { type: 'tool_use', x: 1 },
  { type: 'x_new', value: null },
)
const userPart = fc.oneof(textPart, imagePart, filePart, otherPart)
const saidPart = fc.oneof(textPart, fc.record({ type: fc.constant('refusal'), refusal: text }))

const content = (part: fc.Arbitrary<object>) => fc.oneof(text, fc.array(loose(part), { maxLength: 3 }))

const functionCall = fc.record({
  id: optional(id),
  type: optional(fc.constant('function')),
  function: loose(fc.record({ name: word, arguments: optional(argumentsText) })),
  index: optional(fc.nat({ max: 3 })),
})
const customCall = fc.record({
  id,
  type: fc.constant('custom'),
  custom: fc.record({ name: word, input: optional(text) }),
})

const assistant = fc.record({
  role: fc.constant('assistant'),
  content: optional(fc.oneof(fc.constant(null), content(saidPart))),
  tool_calls: optional(
    fc.oneof(
      fc.constant(null),
      fc.array(fc.oneof(loose(functionCall), loose(customCall), json), { maxLength: 3 }),
    ),
  ),
  function_call: optional(fc.oneof(fc.constant(null), fc.record({ name: word, arguments: argumentsText }))),
  refusal: optional(fc.constantFrom(null, '', 'No.')),
  audio: optional(
    fc.constantFrom(
      null,
      { id: 'audio_1' },
      { id: 'audio_1', data: 'AAAA', transcript: 'Hi', expires_at: 1 },
    ),
  ),
  reasoning_content: optional(fc.constantFrom(null, '', 'Hm.')),
  reasoning: optional(fc.constantFrom(null, 'Hm!')),
  reasoning_details: optional(fc.constantFrom(null, [{ type: 'reasoning.text', text: 'Hm!' }])),
  name: optional(word),
})

const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('system', 'developer', 'user'),
    content: content(textPart),
    name: optional(word),
  }),
  fc.record({ role: fc.constant('user'), content: content(userPart) }),
  fc.record({ role: fc.constantFrom('user', 'x_role'), content: optional(fc.constant(null)) }),
  assistant,
  fc.record({
    role: fc.constant('tool'),
    tool_call_id: optional(id),
    content: optional(fc.oneof(fc.constant(null), content(textPart))),
    name: optional(word),
  }),
  fc.record({ role: fc.constant('function'), name: word, content: fc.oneof(fc.constant(null), text) }),
)

export const chatMessages: fc.Arbitrary<OpenAiInputMessage[]> = fc.array(loose(message), {
  maxLength: 6,
}) as fc.Arbitrary<OpenAiInputMessage[]>
