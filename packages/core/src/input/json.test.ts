import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertJsonValue, formatPath, toJsonText } from './json.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })

/** `levels` arrays inside each other; the innermost is empty. */
function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

const withSymbol = (enumerable: boolean) =>
  Object.defineProperty({ a: 1 }, Symbol('mark'), { value: 1, enumerable })

const cyclic: Record<string, unknown> = { list: [] }
cyclic.list = [1, { back: cyclic }]
const selfArray: unknown[] = []
selfArray.push(selfArray)

class Point {
  readonly x = 1
}
const withProperty: unknown = Object.assign([1], { extra: 2 })
const hidden = { value: () => 'other', enumerable: false }

describe('assertJsonValue refuses, naming the path,', () => {
  test.each<[string, unknown, string]>([
    ['a bigint', { a: 1n }, 'value.a is a bigint, which JSON does not have'],
    ['a function', { a: () => 1 }, 'value.a is a function, which JSON does not have'],
    ['a class', { a: Point }, 'value.a is a function, which JSON does not have'],
    ['a symbol', { a: Symbol('s') }, 'value.a is a symbol, which JSON does not have'],
    ['NaN', { a: Number.NaN }, 'value.a is NaN, which JSON does not have'],
    ['Infinity', [Number.POSITIVE_INFINITY], 'value[0] is Infinity, which JSON does not have'],
    ['-Infinity', [1, Number.NEGATIVE_INFINITY], 'value[1] is -Infinity, which JSON does not have'],
    ['undefined itself', undefined, 'value is undefined, which JSON does not have'],
    ['undefined in an array', { a: [1, undefined] }, 'value.a[1] is undefined, which JSON does not have'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is refused
    ['a hole in an array', { a: [1, , 3] }, 'value.a[1] is missing (a hole in the array)'],
    ['a Date', { a: new Date(0) }, 'value.a is a Date, not a plain object'],
    ['a Map', { a: new Map() }, 'value.a is a Map, not a plain object'],
    ['a Set', { a: new Set() }, 'value.a is a Set, not a plain object'],
    ['an Error', { a: new Error('x') }, 'value.a is a Error, not a plain object'],
    ['a RegExp', { a: /x/ }, 'value.a is a RegExp, not a plain object'],
    ['a URL', { a: new URL('https://example.org') }, 'value.a is a URL, not a plain object'],
    ['a promise', { a: Promise.resolve(1) }, 'value.a is a Promise, not a plain object'],
    ['an instance of a class', [new Point()], 'value[0] is a Point, not a plain object'],
    ['a boxed string', { a: Object('text') }, 'value.a is a String, not a plain object'],
    ['a boxed number', { a: Object(1) }, 'value.a is a Number, not a plain object'],
    ['a boxed boolean', { a: Object(false) }, 'value.a is a Boolean, not a plain object'],
    ['a boxed bigint', { a: Object(1n) }, 'value.a is a BigInt, not a plain object'],
    ['a typed array', { a: new Uint8Array(2) }, 'value.a is a Uint8Array, not a plain object'],
    ['an array buffer', { a: new ArrayBuffer(2) }, 'value.a is a ArrayBuffer, not a plain object'],
    ['an object that contains itself', cyclic, 'value.list[1].back contains itself'],
    ['an array that contains itself', selfArray, 'value[0] contains itself'],
    ['an array with properties', { a: withProperty }, 'value.a is an array with properties of its own'],
    ['a member named by a symbol', { a: withSymbol(true) }, 'value.a has a member named by Symbol(mark)'],
    [
      'a toJSON function of its own',
      { a: { toJSON: () => 1 } },
      'value.a.toJSON is a function, which JSON does not have',
    ],
    [
      'a toJSON function that is not enumerable',
      { a: Object.defineProperty({ b: 1 }, 'toJSON', hidden) },
      'value.a.toJSON is a function, which JSON does not have',
    ],
    [
      'a toJSON function of an array',
      { a: Object.defineProperty([1], 'toJSON', hidden) },
      'value.a.toJSON is a function, which JSON does not have',
    ],
  ])('%s', (_, value, message) => {
    expect(() => assertJsonValue(value)).toThrow(invalid(message))
    expect(() => toJsonText(value, 'value')).toThrow(invalid(message))
  })

  test('1,001 levels, while 1,000 are fine', () => {
    expect(() => assertJsonValue(nested(1000))).not.toThrow()
    expect(toJsonText(nested(1000), 'value')).toBe('['.repeat(1000) + ']'.repeat(1000))
    expect(() => assertJsonValue(nested(1001), 'input')).toThrow(
      invalid(`input${'[0]'.repeat(38)}[…${'[0]'.repeat(20)} is nested more than 1,000 levels deep`),
    )
  })

  test('200,000 levels, without overflowing the stack', () => {
    let objects: unknown = {}
    for (let level = 0; level < 200_000; level++) objects = { child: objects }
    const tooDeep = expect.objectContaining({ code: 'invalid', message: expect.stringContaining('1,000') })
    expect(() => assertJsonValue(nested(200_000))).toThrow(tooDeep)
    expect(() => assertJsonValue(objects)).toThrow(tooDeep)
  })

  test('an array of four thousand million holes, at once', () => {
    const holes: unknown[] = ['first']
    holes.length = 2 ** 32 - 1
    expect(() => toJsonText({ holes }, 'value')).toThrow(
      invalid('value.holes[1] is missing (a hole in the array)'),
    )
  })

  test('the first of several problems, in the order they stand', () => {
    expect(() => assertJsonValue([1n, Number.NaN])).toThrow(
      invalid('value[0] is a bigint, which JSON does not have'),
    )
  })
})

describe('assertJsonValue takes', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['an empty text', ''],
    ['half of a surrogate pair', 'a\ud83d'],
    ['a member that is undefined', { a: undefined }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['an own member called __proto__', JSON.parse('{"__proto__": {"x": 1}}')],
    ['members called as methods are', { toString: 1, constructor: { prototype: 1 }, toJSON: 'text' }],
    ['a symbol that is not enumerable', withSymbol(false)],
    ['the highest and lowest numbers', [Number.MAX_VALUE, Number.MIN_VALUE, -0, Number.MAX_SAFE_INTEGER]],
  ])('%s', (_, value) => {
    expect(() => assertJsonValue(value)).not.toThrow()
  })

  test('the same object at several places', () => {
    const shared = { a: [1] }
    expect(toJsonText({ one: shared, two: shared, three: [shared, [shared]] }, 'value')).toBe(
      '{"one":{"a":[1]},"two":{"a":[1]},"three":[{"a":[1]},[{"a":[1]}]]}',
    )
  })
})

describe('toJsonText', () => {
  test('reads back as what it was made of, but for -0', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (value) => {
        const withoutNegativeZero: unknown = JSON.parse(JSON.stringify(value))
        expect(JSON.parse(toJsonText(value, 'value'))).toStrictEqual(withoutNegativeZero)
        expect(toJsonText(value, 'value')).toBe(JSON.stringify(value))
      }),
    )
  })

  test('takes no value that JSON would change, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
        (value) => {
          let text: string
          try {
            text = toJsonText(value, 'value')
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid' })
            return
          }
          // toEqual lets members that are undefined be absent, and zeros are made one.
          const plain = JSON.parse(text, (_, member: unknown) => member)
          expect(plain).toEqual(withoutSigns(value))
        },
      ),
    )
  })

  test('writes -0 as 0 and leaves out members that are undefined', () => {
    expect(toJsonText({ a: -0, b: undefined, c: [-0] }, 'value')).toBe('{"a":0,"c":[0]}')
  })

  test('keeps an own __proto__ and the order of keys', () => {
    const text = '{"b":1,"__proto__":{"x":1},"a":{"__proto__":2}}'
    expect(toJsonText(JSON.parse(text), 'value')).toBe(text)
  })

  test('a getter or a proxy that throws is invalid, with its error as the cause', () => {
    const cause = new Error('not now')
    const getter = {
      get a(): never {
        throw cause
      },
    }
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw cause
        },
      },
    )
    for (const value of [getter, [proxy], { deep: { proxy } }]) {
      expect(() => toJsonText(value, 'session.metadata')).toThrow(
        expect.objectContaining({
          code: 'invalid',
          message: 'session.metadata cannot be read: not now',
          cause,
        }),
      )
    }
  })
})

/** The value with -0 as 0, also in members. */
function withoutSigns(value: unknown): unknown {
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(withoutSigns)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSigns(member)]))
}

describe('formatPath', () => {
  test.each<[(string | number)[], string]>([
    [[], 'root'],
    [['messages', 1, 'content', 0, 'text'], 'root.messages[1].content[0].text'],
    [['content-type', '$a', '_b', 'é'], 'root.content-type.$a._b.é'],
    [['a b'], 'root["a b"]'],
    [['0'], 'root["0"]'],
    [[''], 'root[""]'],
    [['a"b\n'], 'root["a\\"b\\n"]'],
    [['\ud83d'], 'root["\\ud83d"]'],
  ])('%j is %s', (keys, expected) => {
    expect(formatPath('root', keys)).toBe(expected)
  })

  test('a long path keeps its two ends', () => {
    const path = formatPath('root', [...Array(100).fill('step'), 'last'])
    expect(path).toBe(
      `${`root${'.step'.repeat(100)}`.slice(0, 120)}…${`${'.step'.repeat(99)}.last`.slice(-60)}`,
    )
    expect(path.length).toBe(181)
  })
})

describe('a value that is too large', () => {
  const bound = 1000

  test('is too-large by its bytes in UTF-8', () => {
    expect(toJsonText('x'.repeat(998), 'note', bound).length).toBe(1000)
    expect(() => toJsonText('字'.repeat(333), 'note', bound)).toThrow(
      expect.objectContaining({
        code: 'too-large',
        message: 'note has 1001 bytes of JSON, the store takes 1000',
      }),
    )
  })

  test.each([
    ['text', Array.from({ length: 600 }, () => 'x'.repeat(1_048_576))],
    ['keys', Array.from({ length: 65 }, () => ({ ['x'.repeat(1_048_576)]: 1 }))],
  ])('never becomes text where its %s alone is: no string of the runtime could hold it', (_, value) => {
    expect(() => toJsonText(value, 'note')).toThrow(
      expect.objectContaining({
        code: 'too-large',
        message: 'note has more than 67108864 bytes of JSON, the store takes 67108864',
      }),
    )
  })
})
