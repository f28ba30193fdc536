import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../types/content.ts'
import type { Message, Role } from '../types/message.ts'
import { restoreText } from './text.ts'

type Given = string | readonly unknown[]

function message(seq: number, role: Role, content: Given): Message {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return {
    id: `m${seq}`,
    sessionId: 's1',
    seq,
    role,
    content: blocks as ContentBlock[],
    createdAt: 0,
    metadata: {},
  }
}

/** `q`: opens a turn, `s`: steering, `a`: the assistant's. */
type Line = readonly [kind: 'q' | 's' | 'a', content: Given]

function restored(lines: readonly Line[], summary?: Given, locale?: 'en' | 'zh') {
  const messages = lines.map(([kind, content], index) =>
    message(index + 1, kind === 'a' ? 'assistant' : 'user', content),
  )
  const turns = lines.flatMap(([kind], index) =>
    kind === 'q' ? [{ seq: index + 1, interrupted: false }] : [],
  )
  const window = { messages, turns, ...(summary && { summary: message(99, 'assistant', summary) }) }
  return restoreText(window, locale).map(({ role, content }) => {
    expect(content).toHaveLength(1)
    return [role, (content[0] as { text: string }).text]
  })
}

describe('restoreText', () => {
  test('nothing becomes nothing', () => {
    expect(restored([])).toEqual([])
  })

  test('lone surrogates become U+FFFD, whole pairs stay', () => {
    expect(
      restored(
        [
          ['q', 'q \ud800'],
          ['a', '\udc00 😀'],
        ],
        'S\ud83d',
      ),
    ).toEqual([
      ['user', 'S\ufffd\n\nq \ufffd'],
      ['assistant', '\ufffd 😀'],
    ])
  })

  test('a turn becomes a user’s and an assistant’s message of one text block', () => {
    expect(
      restoreText({ messages: [message(1, 'user', 'hi')], turns: [{ seq: 1, interrupted: false }] }),
    ).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }])
    expect(
      restored([
        ['q', 'hi'],
        ['a', 'hello'],
      ]),
    ).toEqual([
      ['user', 'hi'],
      ['assistant', 'hello'],
    ])
  })

  test('not blank text blocks are joined by a newline, verbatim', () => {
    const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }))
    expect(
      restored([
        ['q', texts('  a ', ' \n', 'b\n')],
        ['a', texts('', 'c', 'd')],
      ]),
    ).toEqual([
      ['user', '  a \nb\n'],
      ['assistant', 'c\nd'],
    ])
  })

  test('steering texts stand behind the question after a blank line', () => {
    expect(
      restored([
        ['q', 'go'],
        ['s', 'faster'],
        ['s', 'and left'],
        ['a', 'done'],
      ]),
    ).toEqual([
      ['user', 'go\n\nfaster\n\nand left'],
      ['assistant', 'done'],
    ])
  })

  test('a turn without a reply joins the next question, and the last stays', () => {
    expect(
      restored([
        ['q', 'one'],
        ['q', 'two'],
        ['a', 'both'],
        ['q', 'three'],
      ]),
    ).toEqual([
      ['user', 'one\n\ntwo'],
      ['assistant', 'both'],
      ['user', 'three'],
    ])
  })

  test('a reply of blank text is none', () => {
    expect(
      restored([
        ['q', 'one'],
        ['a', ' \n'],
        ['q', 'two'],
      ]),
    ).toEqual([['user', 'one\n\ntwo']])
  })

  test('a summary comes first, as the user’s text whatever its role', () => {
    expect(
      restored(
        [
          ['q', 'two'],
          ['a', 'yes'],
        ],
        'S',
      ),
    ).toEqual([
      ['user', 'S\n\ntwo'],
      ['assistant', 'yes'],
    ])
    expect(restored([], 'S')).toEqual([['user', 'S']])
  })

  test('rows between a summary and the first turn are the rest of the summary’s own turn', () => {
    expect(
      restored(
        [
          ['s', 'left'],
          ['a', 'a1'],
          ['q', 'two'],
          ['a', 'a2'],
        ],
        'S',
      ),
    ).toEqual([
      ['user', 'S\n\nleft'],
      ['assistant', 'a1'],
      ['user', 'two'],
      ['assistant', 'a2'],
    ])
  })

  test('without a summary an assistant’s text before the first turn is left out', () => {
    expect(
      restored([
        ['a', 'a1'],
        ['q', 'two'],
        ['a', 'a2'],
      ]),
    ).toEqual([
      ['user', 'two'],
      ['assistant', 'a2'],
    ])
  })

  test('a question that cannot be read leaves its reply to stand', () => {
    const window = {
      messages: [message(1, 'user', 'one'), message(2, 'assistant', 'a1'), message(4, 'assistant', 'a2')],
      turns: [
        { seq: 1, interrupted: false },
        { seq: 3, interrupted: false },
      ],
    }
    expect(restoreText(window)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'a1\n\na2' }] },
    ])
  })

  test.each<[string, Given, string, string]>([
    ['a picture', [{ type: 'image' }], '[image]', '[图片]'],
    ['a document', [{ type: 'document' }], '[document]', '[文档]'],
    ['a sound', [{ type: 'input_audio' }], '[input_audio]', '[input_audio]'],
    ['blank text and a picture', [{ type: 'text', text: ' ' }, { type: 'image' }], '[image]', '[图片]'],
    ['a picture and a document', [{ type: 'image' }, { type: 'document' }], '[image]', '[图片]'],
    ['text and a picture', [{ type: 'image' }, { type: 'text', text: 'look' }], 'look', 'look'],
  ])('a question of %s has a placeholder in either language', (_, content, english, chinese) => {
    expect(restored([['q', content]])).toEqual([['user', english]])
    expect(restored([['q', content]], undefined, 'zh')).toEqual([['user', chinese]])
  })

  test('only questions get placeholders', () => {
    expect(
      restored([
        ['q', 'hi'],
        ['s', [{ type: 'image' }]],
        ['a', [{ type: 'image' }]],
      ]),
    ).toEqual([['user', 'hi']])
  })
})
