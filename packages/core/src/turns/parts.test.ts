import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../types/content.ts'
import type { MessageMetadata, Role } from '../types/message.ts'
import { hasText, isBlank, isTextBlock, textForm, turnPart, turnParts } from './parts.ts'

const { opener, steering, reply, interim, summary } = turnParts

/** Blocks by one letter: t text, b blank text, i image, u tool_use, r tool_result, k thinking, x unknown. */
const blocks: { readonly [letter: string]: ContentBlock } = {
  t: { type: 'text', text: 'hi' },
  b: { type: 'text', text: ' \n\u3000' },
  i: { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
  u: { type: 'tool_use', id: 't1', name: 'bash', input: {} },
  r: { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
  k: { type: 'thinking', thinking: 'hm' },
  x: { type: 'x_audio', data: 'AA' } as unknown as ContentBlock,
}
const content = (letters: string) => [...letters].map((letter) => blocks[letter] as ContentBlock)
const part = (role: Role, letters: string, metadata: MessageMetadata = {}) =>
  turnPart(role, content(letters), metadata)

test('the numbers are those that databases hold', () => {
  expect(turnParts).toEqual({ opener: 1, steering: 2, reply: 3, interim: 4, summary: 5 })
})

describe('turnPart of a user’s message', () => {
  test.each(['t', 'tt', 'bt', 'i', 'it', 'bi', 'x', 'k', 'ib', 'u'])('%s opens a turn', (letters) => {
    expect(part('user', letters)).toBe(opener)
  })

  test.each(['rt', 'tr', 'rrt', 'rbt', 'irt'])('%s is steering text', (letters) => {
    expect(part('user', letters)).toBe(steering)
  })

  test.each(['', 'b', 'bb', 'r', 'rr', 'rb', 'ri', 'rx'])('%j is nothing to a text restore', (letters) => {
    expect(part('user', letters)).toBeUndefined()
  })
})

describe('turnPart of an assistant’s message', () => {
  test.each(['t', 'kt', 'bt', 'tx', 'it', 'rt'])('%s is a reply', (letters) => {
    expect(part('assistant', letters)).toBe(reply)
  })

  test.each(['tu', 'ktu', 'ut', 'tuu', 'btu'])('%s stands beside a tool call', (letters) => {
    expect(part('assistant', letters)).toBe(interim)
  })

  test.each(['', 'b', 'k', 'u', 'bu', 'ku', 'i', 'x', 'r'])('%j is nothing to a text restore', (letters) => {
    expect(part('assistant', letters)).toBeUndefined()
  })
})

describe('turnPart of any message', () => {
  const anyLetters = fc.string({ unit: fc.constantFrom(...'tbiurkx'), maxLength: 6 })
  const anyRole = fc.constantFrom<Role>('system', 'user', 'assistant', 'tool')

  test('of role system or tool is nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom<Role>('system', 'tool'), anyLetters, (role, letters) => {
        expect(part(role, letters)).toBeUndefined()
      }),
    )
  })

  test('that the agent does not see is nothing, also when it is a summary', () => {
    fc.assert(
      fc.property(anyRole, anyLetters, fc.boolean(), (role, letters, isSummary) => {
        const metadata = { agentVisible: false, ...(isSummary ? { summary: mark } : {}) }
        expect(part(role, letters, metadata)).toBeUndefined()
      }),
    )
  })

  const mark = { fromSeq: 1, throughSeq: 2, line: [] }

  test('that is a summary is one whatever its role and blocks', () => {
    fc.assert(
      fc.property(anyRole, anyLetters, (role, letters) => {
        expect(part(role, letters, { summary: mark })).toBe(summary)
      }),
    )
  })

  test('does not depend on what people see', () => {
    fc.assert(
      fc.property(anyRole, anyLetters, (role, letters) => {
        expect(part(role, letters, { userVisible: false, agentVisible: true })).toBe(part(role, letters))
      }),
    )
  })
})

describe('textForm', () => {
  test.each(['', 't', 'b', 'tb', 'ttt', 'bb'])('of %j is the content itself', (letters) => {
    expect(textForm(content(letters))).toBeUndefined()
  })

  test.each([
    ['tu', 't'],
    ['kt', 't'],
    ['rt', 't'],
    ['tit', 'tt'],
    ['bit', 'bt'],
    ['ttu', 'tt'],
  ])('of %s is its text blocks %s', (letters, expected) => {
    expect(textForm(content(letters))).toEqual(content(expected))
  })

  test.each([
    ['i', 'image'],
    ['bi', 'image'],
    ['ui', 'tool_use'],
    ['xi', 'x_audio'],
    ['r', 'tool_result'],
    ['kb', 'thinking'],
  ])('of %s, which has no text, is the type of its first other block', (letters, type) => {
    expect(textForm(content(letters))).toEqual([{ type }])
  })

  test('keeps a text block whole, with fields that are not known', () => {
    const block = { type: 'text', text: 'hi', citations: [1] } as const
    expect(textForm([...content('u'), block])).toEqual([block])
  })
})

describe('texts', () => {
  test.each(['', ' ', '\t\r\n', '\u3000\u00a0\ufeff\u2028'])('%j is blank', (text) => {
    expect(isBlank(text)).toBe(true)
  })

  test.each(['a', ' . ', '\u200b', '\0', '\ud83d'])('%j is not', (text) => {
    expect(isBlank(text)).toBe(false)
  })

  test('a text block without a text, which this version never writes, is none', () => {
    const broken = [{ type: 'text' }, { type: 'text', text: null }] as unknown as ContentBlock[]
    expect(broken.some(isTextBlock)).toBe(false)
    expect(hasText(broken)).toBe(false)
    expect(textForm(broken)).toEqual([{ type: 'text' }])
  })
})
