import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareCodePoints,
  planThreadList,
  planThreadSessions,
  planTimeline,
  prepareThread,
  prepareThreadPatch,
  toThread,
} from './threads.ts'

describe('prepareThread', () => {
  test('fills in what is absent', () => {
    expect(prepareThread({ name: 'n' })(5, (now) => `id-${now}`)).toEqual({
      threadId: 'id-5',
      ownerId: '',
      name: 'n',
      metadata: '{}',
      createdAt: 5,
      updatedAt: 5,
    })
    expect(
      prepareThread({ id: 'i', ownerId: 'o', name: 'n', metadata: { a: [1] } })(5, () => 'x'),
    ).toMatchObject({
      threadId: 'i',
      ownerId: 'o',
      metadata: '{"a":[1]}',
    })
  })

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(501) }],
    [{ name: 'a\nb' }],
    [{ name: 'n', id: '..' }],
    [{ name: 'n', id: 'x'.repeat(257) }],
    [{ name: 'n', metadata: [] }],
    [{ name: 'n', metadata: { big: 1n } }],
    [{ name: 'n', sessions: [] }],
  ])('refuses %o', (thread) => {
    expect(() => prepareThread(thread as never)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })
})

test('a patch names the columns it changes', () => {
  expect(prepareThreadPatch({})).toEqual({})
  expect(prepareThreadPatch({ name: 'n', metadata: {} })).toEqual({ name: 'n', metadata: '{}' })
  for (const patch of [{ name: '' }, { metadata: 5 }, { ownerId: 'x' }])
    expect(() => prepareThreadPatch(patch as never)).toThrow(expect.objectContaining({ code: 'invalid' }))
})

test.each(['{broken', 'null', '5'])('metadata that cannot be read is given as none: %s', (metadata) => {
  const row = { threadId: 't', ownerId: '', name: 'n', metadata, createdAt: 1, updatedAt: 2 }
  expect(toThread(row, 3, () => {})).toEqual({
    id: 't',
    ownerId: '',
    name: 'n',
    metadata: {},
    createdAt: 1,
    updatedAt: 2,
    sessionCount: 3,
  })
})

describe('pages', () => {
  test('a cursor leads to the place it was made of', () => {
    const list = planThreadList({ ownerId: 'o' })
    expect([list.limit, list.after]).toEqual([50, undefined])
    expect(planThreadList({ ownerId: 'o', limit: 2, cursor: list.cursorAt([5, 't']) })).toMatchObject({
      limit: 2,
      after: [5, 't'],
    })
    const sessions = planThreadSessions('t', {})
    expect(planThreadSessions('t', { cursor: sessions.cursorAt([3]) }).after).toEqual([3])
    const timeline = planTimeline('t', {})
    expect(planTimeline('t', { cursor: timeline.cursorAt([-5, 1, 2]) }).after).toEqual([-5, 1, 2])
  })

  test('a cursor of another thread, list or shape is refused', () => {
    const invalid = expect.objectContaining({ code: 'invalid-cursor' })
    const cursor = planThreadSessions('t', {}).cursorAt([3])
    expect(() => planThreadSessions('u', { cursor })).toThrow(invalid)
    expect(() => planTimeline('t', { cursor })).toThrow(invalid)
    expect(() => planThreadList({ ownerId: 'x', cursor: planThreadList({}).cursorAt([1, 't']) })).toThrow(
      invalid,
    )
    for (const place of [[1], [1, 2, 'x'], [1, 2, null], [1, 2, 3, 4]])
      expect(() => planTimeline('t', { cursor: planTimeline('t', {}).cursorAt(place as never) })).toThrow(
        invalid,
      )
  })

  test.each([[{ limit: 0 }], [{ limit: 1001 }], [{ limit: 1.5 }], [{ sort: 'x' }]])(
    '%o is invalid',
    (page) => {
      const invalid = expect.objectContaining({ code: 'invalid' })
      expect(() => planThreadList(page as never)).toThrow(invalid)
      expect(() => planThreadSessions('t', page as never)).toThrow(invalid)
      expect(() => planTimeline('t', page as never)).toThrow(invalid)
    },
  )
})

test('compareCodePoints orders as the bytes of UTF-8 do', () => {
  const encoder = new TextEncoder()
  const compareBytes = (a: string, b: string) => {
    const [left, right] = [encoder.encode(a), encoder.encode(b)]
    const at = left.findIndex((byte, index) => byte !== right[index])
    return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
  }
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '字', '\ue000', '\ufffd', '\u{10000}', '😀'),
  })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(compareBytes(a, b)))
    }),
  )
})
