import { describe, expect, test } from 'vitest'
import { isServing, planCurrent } from './current.ts'

const key = { channelType: 'web', channelKey: 'k' }

describe('planCurrent', () => {
  test('the new session takes the channel, chat and owner of the key', () => {
    const plan = planCurrent({ ...key, ownerId: 'ana' }, { create: { name: 'n' }, idleMs: 5 }, 'en')
    expect(plan).toMatchObject({
      ...key,
      ownerId: 'ana',
      idleMs: 5,
      create: { ...key, ownerId: 'ana', name: 'n', nameSource: 'user' },
    })
    expect(planCurrent(key, { create: {} }, 'zh').create?.name).toBe('新会话')
    expect(planCurrent(key, {}, 'en')).toEqual({ ...key, ownerId: '', idleMs: undefined, create: undefined })
  })

  test.each([
    [{ channelType: 'cli' }, 'options.create.channelType: must be the key\'s, "web"'],
    [{ channelKey: 'l' }, 'options.create.channelKey: must be the key\'s, "k"'],
    [{ ownerId: 'bo' }, 'options.create.ownerId: must be the key\'s, ""'],
  ])('a new session of %o is invalid', (create, message) => {
    expect(() => planCurrent(key, { create }, 'en')).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  })

  test.each([
    ['no chat', { channelType: 'web' }, {}],
    ['an empty chat', { ...key, channelKey: '' }, {}],
    ['a control character', { ...key, channelType: 'a\u0000' }, {}],
    ['something else in the key', { ...key, name: 'n' }, {}],
    ['a time below 0', key, { idleMs: -1 }],
    ['a field that is none', key, { create: { tags: [''] } }],
    ['an unknown option', key, { make: {} }],
  ])('%s is invalid', (_, given, options) => {
    expect(() => planCurrent(given as never, options as object, 'en')).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    )
  })
})

test.each([
  [undefined, 0, 1_000_000, true],
  [10, 100, 109, true],
  [10, 100, 110, false],
  [0, 100, 100, false],
  // A clock that went back, or a message from the future.
  [10, 100, 50, true],
])('silent for idleMs %s: active at %i, asked at %i', (idleMs, lastActiveAt, now, serves) => {
  const plan = planCurrent(key, idleMs === undefined ? {} : { idleMs }, 'en')
  expect(isServing(plan, lastActiveAt, now)).toBe(serves)
})
