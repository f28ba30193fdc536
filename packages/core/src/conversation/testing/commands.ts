// What two hosts of one conversation may do, for random scripts.

import fc from 'fast-check'
import type { ContentBlock } from '../../types/content.ts'
import type { NewMessage } from '../../types/message.ts'

const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
const thinking: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
const text = (value: string): ContentBlock => ({ type: 'text', text: value })

export type Command =
  | { readonly does: 'ask'; readonly more: readonly ContentBlock[] }
  | { readonly does: 'call'; readonly ids: readonly string[]; readonly more: readonly ContentBlock[] }
  | { readonly does: 'answer'; readonly steers: boolean; readonly through: 'begin' | 'persist' }
  | { readonly does: 'stray'; readonly message: NewMessage }
  | { readonly does: 'reply' | 'finish' | 'crash' | 'resume' | 'clear' | 'reset' }
  | { readonly does: 'compact'; readonly keepTurns: number }
  | {
      readonly does: 'recover'
      readonly from: 'overflow' | 'invalid' | 'image'
      readonly summarizes: boolean
    }

const id = fc.constantFrom('a', 'b', 'c')
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      more: fc.constantFrom([], [], [image], [text(' '), image]),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('call' as const),
      ids: fc.array(id, { minLength: 1, maxLength: 2 }),
      more: fc.constantFrom([], [text('look')], [thinking]),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      steers: fc.boolean(),
      through: fc.constantFrom('begin' as const, 'persist' as const, 'persist' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('stray' as const),
      message: fc.constantFrom<NewMessage>(
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'late' }] },
        { role: 'user', content: 'half \ud83d' },
        { role: 'assistant', content: ' ' },
        { role: 'system', content: 'be brief' },
        { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'y', content: 'late' }] },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Command>(
      { does: 'reply' },
      { does: 'finish' },
      { does: 'crash' },
      { does: 'resume' },
      { does: 'resume' },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<Command>({ does: 'clear' }, { does: 'reset' }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('compact' as const), keepTurns: fc.nat({ max: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('recover' as const),
      from: fc.constantFrom('overflow' as const, 'overflow' as const, 'invalid' as const, 'image' as const),
      summarizes: fc.boolean(),
    }),
  },
)
