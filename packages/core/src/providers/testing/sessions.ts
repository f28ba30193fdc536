// Arbitrary conversations as a store holds them: questions, turns of tools with all their results, answers. Written by
// hosts, so nothing in them is of a provider's own shape; ids and texts are as odd as hosts make them.

import fc from 'fast-check'
import type { ContentBlock } from '../../types/content.ts'
import type { Role } from '../../types/message.ts'
import { object, optional, text, word } from './values.ts'

/** A message as restore gives it, or as a store does: results in a message of the user or of role tool. */
export interface SessionMessage {
  readonly role: Role
  readonly content: ContentBlock[]
}

const said = fc.constantFrom('Hello', ' Weather in Oslo?\n', 'half \ud83d of a pair', '你好')
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

const shown = fc.constantFrom<object>(
  { type: 'image', source: png },
  { type: 'image', source: { ...png, media_type: 'image/tiff' } },
  { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
  { type: 'image', source: { type: 'file', file_id: 'file_1' } },
  {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
    title: 'a.pdf',
  },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' } },
  { type: 'x_audio', data: 'AAAA' },
  { type: 'text', text: ' ' },
)

const blocks = (content: fc.Arbitrary<object>, maxLength: number) => fc.array(content, { maxLength })
const textBlock = said.map((value) => ({ type: 'text', text: value }))

/** What the user says has text, or a picture alone. */
const question = fc.oneof(
  fc.tuple(blocks(shown, 2), textBlock).map(([before, one]) => [...before, one]),
  fc.constant<object[]>([{ type: 'image', source: png }]),
)

const thinking = fc.constantFrom<object>(
  { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  { type: 'thinking', thinking: 'Hm.' },
  { type: 'redacted_thinking', data: 'AAAA' },
)

const answer = fc.tuple(blocks(thinking, 1), textBlock).map(([before, one]) => [...before, one])

const id = fc.constantFrom(
  'toolu_01',
  'functions.bash:0',
  '',
  'x'.repeat(450),
  `${'x'.repeat(449)}y`,
  'a|b',
  'é',
  'call_1',
)

const input = fc.oneof(
  object,
  fc.constantFrom<unknown>('{"a":1}', 'no json', 5, null, undefined, [1], { s: '\udc00' }),
)

const outcome = fc.record({
  content: optional(fc.oneof(text, blocks(fc.oneof(textBlock, shown), 2))),
  is_error: optional(fc.boolean()),
})

/** Some calls, their results in any order, in one message or in one each, steering text among them or not. */
const step: fc.Arbitrary<SessionMessage[]> = fc
  .record({
    before: fc.tuple(blocks(thinking, 1), blocks(textBlock, 1)),
    calls: fc.uniqueArray(fc.record({ id, name: word, input, outcome }), {
      minLength: 1,
      maxLength: 3,
      selector: (call) => call.id,
    }),
    isReversed: fc.boolean(),
    isEach: fc.boolean(),
    role: fc.constantFrom<Role>('user', 'tool'),
    steering: optional(textBlock),
  })
  .map(({ before, calls, isReversed, isEach, role, steering }) => {
    const uses = calls.map(({ id: use, name, input: given }) => ({
      type: 'tool_use',
      id: use,
      name,
      input: given,
    }))
    const results = calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, ...call.outcome }))
    const ordered = isReversed ? results.reverse() : results
    const groups = isEach ? ordered.map((result) => [result]) : [ordered]
    const last = groups.at(-1) as object[]
    const steered = steering && role === 'user' ? [...groups.slice(0, -1), [steering, ...last]] : groups
    return [
      message('assistant', [...before.flat(), ...uses]),
      ...steered.map((content) => message(role, content)),
    ]
  })

const turn = fc
  .tuple(question, fc.array(step, { maxLength: 3 }), answer)
  .map(([asked, steps, answered]) => [
    message('user', asked),
    ...steps.flat(),
    message('assistant', answered),
  ])

function message(role: Role, content: readonly object[]): SessionMessage {
  return { role, content: content as ContentBlock[] }
}

/** A conversation that ends with an answer. */
export const session: fc.Arbitrary<SessionMessage[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) => turns.flat())

/** A conversation in the middle of a turn: it ends with the results of calls. */
export const openSession: fc.Arbitrary<SessionMessage[]> = fc
  .tuple(fc.array(turn, { maxLength: 1 }), question, fc.array(step, { minLength: 1, maxLength: 2 }))
  .map(([turns, asked, steps]) => [...turns.flat(), message('user', asked), ...steps.flat()])
