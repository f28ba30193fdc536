// Arbitrary requests of generateContent, odd but legal ones included.

import fc from 'fast-check'
import type { GeminiInput } from '../gemini/types.ts'
import { base64, json, loose, object, optional, text, word } from './values.ts'

const id = optional(fc.constantFrom('fc-1', 'fc-2', ''))
const name = fc.constantFrom('weather', 'bash', 'weather')

const blob = fc.oneof(
  fc.record({ mimeType: fc.constantFrom('image/png', 'application/pdf', 'audio/wav'), data: base64 }),
  fc.constant({ mimeType: 'image/png', data: 'AAAA', displayName: 'a.png' }),
)
const file = fc.constantFrom<object>(
  { fileUri: 'https://example.org/a.png', mimeType: 'image/png' },
  { fileUri: 'https://example.org/a' },
  { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a', mimeType: 'image/png' },
  { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' },
)

const response = fc.oneof(
  object,
  text.map((output) => ({ output })),
  text.map((error) => ({ error })),
  text.map((result) => ({ result })),
)

const datum = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text }) },
  { weight: 1, arbitrary: fc.record({ text, thought: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ inlineData: loose(blob) }) },
  { weight: 1, arbitrary: fc.record({ fileData: file }) },
  {
    weight: 3,
    arbitrary: fc.record({
      functionCall: loose(fc.record({ id, name, args: optional(fc.oneof(object, fc.constant(null))) })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      functionResponse: loose(
        fc.record({
          id,
          name: optional(name),
          response: optional(response),
          parts: optional(fc.array(fc.record({ inlineData: blob }), { maxLength: 2 })),
        }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { videoMetadata: { fps: 1 }, fileData: { fileUri: 'https://example.org/a.mp4' } },
      { text: 'both', functionCall: { name: 'x' } },
      {},
    ),
  },
  { weight: 1, arbitrary: fc.record({ x_new: json }) },
)

const part = loose(
  fc.tuple(datum, optional(base64)).map(([value, thoughtSignature]) => ({ ...value, thoughtSignature })),
)

const content = loose(
  fc.record({
    role: optional(fc.constantFrom('user', 'model', 'function')),
    parts: optional(fc.array(part, { maxLength: 4 })),
  }),
)

export const geminiRequest: fc.Arbitrary<GeminiInput> = fc
  .record({
    systemInstruction: optional(fc.oneof(text, content)),
    contents: fc.array(content, { maxLength: 5 }),
    label: word,
  })
  .map(({ systemInstruction, contents }) =>
    systemInstruction === undefined ? { contents } : { systemInstruction, contents },
  ) as fc.Arbitrary<GeminiInput>
