// Arbitrary items of the Responses API, odd but legal ones included.

import fc from 'fast-check'
import type { OpenAiInputItem } from '../openai-responses/types.ts'
import { argumentsText } from './chat.ts'
import { base64, json, loose, optional, text, word } from './values.ts'

const id = fc.constantFrom('call_1', 'call_2', 'functions.bash:0')
const itemId = optional(fc.constantFrom('fc_1', 'msg_1', 'rs_1', null))
const status = optional(fc.constantFrom('completed', 'incomplete'))

const inputPart = fc.oneof(
  fc.record({ type: fc.constant('input_text'), text }),
  fc.record({
    type: fc.constant('input_image'),
    image_url: optional(
      fc.oneof(
        base64.map((data) => `data:image/png;base64,${data}`),
        fc.constantFrom('https://example.org/a.png', null),
      ),
    ),
    file_id: optional(fc.constantFrom('file-1', null)),
    detail: optional(fc.constantFrom('auto', 'high')),
  }),
  fc.record({
    type: fc.constant('input_file'),
    file_data: optional(fc.constantFrom('data:application/pdf;base64,JVBERg==', 'JVBERg==')),
    file_url: optional(fc.constant('https://example.org/a.pdf')),
    file_id: optional(fc.constantFrom('file-1', null)),
    filename: optional(fc.constant('a.pdf')),
  }),
  fc.record({ type: fc.constantFrom('x_new', 'text', 'input_audio'), value: json }),
)
const outputPart = fc.oneof(
  fc.record({ type: fc.constant('output_text'), text, annotations: optional(fc.constant([])) }),
  fc.record({ type: fc.constant('refusal'), refusal: text }),
  fc.record({ type: fc.constant('input_text'), text }),
)

const list = (part: fc.Arbitrary<object>) => fc.array(loose(part), { maxLength: 3 })

const message = fc.oneof(
  fc.record({
    type: optional(fc.constant('message')),
    role: fc.constantFrom('user', 'system', 'developer', 'x_role'),
    content: optional(fc.oneof(text, list(inputPart), fc.constant(null))),
    status,
  }),
  fc.record({
    type: optional(fc.constant('message')),
    role: fc.constant('assistant'),
    content: optional(fc.oneof(text, list(outputPart), fc.constant(null))),
    id: itemId,
    status,
    phase: optional(fc.constantFrom('commentary', null)),
  }),
)

const item = fc.oneof(
  { weight: 3, arbitrary: message },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('reasoning'),
      id: itemId,
      summary: fc.array(fc.record({ type: fc.constant('summary_text'), text }), { maxLength: 2 }),
      content: optional(fc.constantFrom(null, [{ type: 'reasoning_text', text: 'Hm.' }])),
      encrypted_content: optional(fc.constantFrom('Z0FB', null)),
      status,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('function_call'),
      call_id: id,
      name: word,
      arguments: optional(argumentsText),
      id: itemId,
      status,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('function_call_output', 'custom_tool_call_output'),
      call_id: optional(id),
      output: optional(fc.oneof(text, list(inputPart))),
      id: itemId,
      status,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('custom_tool_call'),
      call_id: id,
      name: word,
      input: optional(text),
      id: itemId,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { type: 'item_reference', id: 'msg_1' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      { type: 'shell_call', call_id: 'call_9', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'call_9', output: [] },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      { type: 'compaction', encrypted_content: 'Z0FB' },
      { type: 'additional_tools', role: 'developer', tools: [] },
      { type: 'x_new' },
    ),
  },
)

export const items: fc.Arbitrary<OpenAiInputItem[]> = fc.array(loose(item), {
  maxLength: 7,
}) as fc.Arbitrary<OpenAiInputItem[]>
