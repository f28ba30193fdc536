// Arbitrary requests of the Messages API, odd but legal ones included.

import fc from 'fast-check'
import type { AnthropicInput } from '../anthropic/types.ts'
import { base64, json, loose, object, optional, text, word } from './values.ts'

const cache = optional(fc.constantFrom({ type: 'ephemeral' }, null))
const id = fc.constantFrom('toolu_01', 'toolu_02', 'call-3', 'A'.repeat(64))

const textBlock = fc.record({
  type: fc.constant('text'),
  text,
  cache_control: cache,
  citations: optional(fc.constantFrom(null, [])),
})

const source = fc.oneof(
  fc.record({
    type: fc.constant('base64'),
    media_type: fc.constantFrom('image/png', 'image/tiff'),
    data: base64,
  }),
  fc.constant({ type: 'url', url: 'https://example.org/a.png' }),
  fc.constant({ type: 'file', file_id: 'file_1' }),
)
const image = fc.record({ type: fc.constant('image'), source, cache_control: cache })

const document = fc.record({
  type: fc.constant('document'),
  source: fc.constantFrom(
    { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
    { type: 'text', media_type: 'text/plain', data: 'Notes' },
    { type: 'content', content: [{ type: 'text', text: 'Part' }] },
  ),
  title: optional(fc.constantFrom('Notes', null)),
})

const toolUse = fc.record({
  type: fc.constant('tool_use'),
  id,
  name: word,
  input: object,
  cache_control: cache,
})

const toolResult = fc.record({
  type: fc.constant('tool_result'),
  tool_use_id: id,
  content: optional(
    fc.oneof(text, fc.array(fc.oneof(loose(textBlock), loose(image), loose(document)), { maxLength: 2 })),
  ),
  is_error: optional(fc.boolean()),
})

const thinking = fc.record({ type: fc.constant('thinking'), thinking: text, signature: base64 })
const redacted = fc.record({ type: fc.constant('redacted_thinking'), data: base64 })

const ofServer = fc.constantFrom(
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
)

/** Of a version that nobody knows yet. */
const unknown = fc.record({ type: fc.constantFrom('x_new', 'unknown', 'native'), value: json })

const block = fc.oneof(textBlock, image, document, toolUse, toolResult, thinking, redacted, ofServer, unknown)

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'user', 'assistant', 'system'),
  content: optional(fc.oneof(text, fc.array(loose(block), { maxLength: 4 }))),
})

export const anthropicRequest: fc.Arbitrary<AnthropicInput> = fc
  .record({
    system: optional(fc.oneof(text, fc.array(loose(textBlock), { maxLength: 2 }))),
    messages: fc.array(loose(message), { maxLength: 5 }),
  })
  .map(({ system, messages }) =>
    system === undefined ? { messages } : { system, messages },
  ) as fc.Arbitrary<AnthropicInput>
