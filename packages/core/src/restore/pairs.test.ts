import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../types/content.ts'
import type { RestoredMessage } from '../types/message.ts'
import { pairTools } from './pairs.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const use = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'bash', input: {} })
const result = (id: string, content = 'ok'): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const cut = (id: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'interrupted',
  is_error: true,
})
const user = (...content: ContentBlock[]): RestoredMessage => ({ role: 'user', content })
const assistant = (...content: ContentBlock[]): RestoredMessage => ({ role: 'assistant', content })

describe('pairTools', () => {
  test.each<[string, RestoredMessage[], RestoredMessage[], number]>([
    [
      'whole pairs stay as they are',
      [
        user(text('q')),
        assistant(text('look'), use('a'), use('b')),
        user(result('a'), result('b')),
        assistant(text('done')),
      ],
      [
        user(text('q')),
        assistant(text('look'), use('a'), use('b')),
        user(result('a'), result('b')),
        assistant(text('done')),
      ],
      0,
    ],
    [
      'a call without a result is answered',
      [user(text('q')), assistant(use('a'))],
      [user(text('q')), assistant(use('a')), user(cut('a'))],
      1,
    ],
    [
      'of parallel calls the missing results are filled in',
      [user(text('q')), assistant(use('a'), use('b'), use('c')), user(result('b'))],
      [user(text('q')), assistant(use('a'), use('b'), use('c')), user(cut('a'), result('b'), cut('c'))],
      2,
    ],
    [
      'a result without a call goes, and its message with it',
      [user(text('q')), user(result('x')), assistant(text('done'))],
      [user(text('q')), assistant(text('done'))],
      1,
    ],
    [
      'a second result of one call goes',
      [user(text('q')), assistant(use('a')), user(result('a', 'first'), result('a', 'second'))],
      [user(text('q')), assistant(use('a')), user(result('a', 'first'))],
      1,
    ],
    [
      'results stand in the order of their calls, steering text stays behind them',
      [user(text('q')), assistant(use('a'), use('b')), user(text('also X'), result('b'), result('a'))],
      [user(text('q')), assistant(use('a'), use('b')), user(result('a'), result('b')), user(text('also X'))],
      0,
    ],
    [
      'a late result moves up, over an assistant text and a question',
      [user(text('q')), assistant(use('a')), user(text('and?')), assistant(text('wait')), user(result('a'))],
      [user(text('q')), assistant(use('a')), user(result('a')), user(text('and?')), assistant(text('wait'))],
      1,
    ],
    [
      'a result in an assistant message moves to a user message',
      [user(text('q')), assistant(use('a'), result('a'), text('done'))],
      [user(text('q')), assistant(use('a'), text('done')), user(cut('a'))],
      2,
    ],
    [
      'an id that is used again is a call of its own, with a new id',
      [
        user(text('q')),
        assistant(use('a')),
        user(result('a', '1')),
        assistant(use('a')),
        user(result('a', '2')),
      ],
      [
        user(text('q')),
        assistant(use('a')),
        user(result('a', '1')),
        assistant(use('a_2')),
        user(result('a_2', '2')),
      ],
      1,
    ],
    [
      'the result of an id that was used again belongs to the later call',
      [user(text('q')), assistant(use('a')), assistant(use('a')), user(result('a'))],
      [user(text('q')), assistant(use('a')), user(cut('a')), assistant(use('a_2')), user(result('a_2'))],
      2,
    ],
    [
      'a call in a user message is nobody’s',
      [user(text('q'), use('a')), assistant(text('done'))],
      [user(text('q')), assistant(text('done'))],
      1,
    ],
    [
      'a result before its call is none',
      [user(text('q')), user(result('a')), assistant(use('a'))],
      [user(text('q')), assistant(use('a')), user(cut('a'))],
      2,
    ],
  ])('%s', (_name, messages, expected, repaired) => {
    expect(pairTools(messages)).toEqual({ messages: expected, repaired })
  })
})
