import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, isForeign, lay, nativeOf, wholeBlock, withNative } from './native.ts'
import { cloned, json } from './testing/values.ts'

const member = fc.oneof(json, fc.dictionary(fc.constantFrom('a', 'b', 'a/b', '~'), json, { maxKeys: 3 }))
const anyObject = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'a/b', '~1', '__proto__', 'constructor'), member, { maxKeys: 4 })
  .map((value) => cloned(value) as Record<string, unknown>)

describe('difference and lay', () => {
  it('give back any original from any rendering', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (rendered, original) => {
        expect(lay(rendered, cloned(difference(rendered, original)))).toEqual(original)
      }),
      { numRuns: 1000 },
    )
  })

  it('say what differs and nothing more', () => {
    const rendered = { type: 'function', function: { name: 'ls', arguments: '{}' } }
    const original = { type: 'function', function: { name: 'ls', arguments: '{ }' }, index: 0 }
    expect(difference(rendered, original)).toEqual({ value: { function: { arguments: '{ }' }, index: 0 } })
    expect(difference(rendered, { type: 'function', function: { name: 'ls' } })).toEqual({
      value: {},
      without: ['/function/arguments'],
    })
    expect(difference({ 'a/b': { '~': 1 } }, { 'a/b': {} })).toEqual({ value: {}, without: ['/a~1b/~0'] })
    expect(difference(rendered, rendered)).toEqual({ value: {} })
  })

  it('follow a rendering that has changed since', () => {
    const native = difference({ text: 'a', seen: true }, { text: 'a', signature: 's' })
    expect(lay({ text: 'b', seen: true }, native)).toEqual({ text: 'b', signature: 's' })
  })

  it('give a whole value where the block gave nothing', () => {
    expect(lay({ text: 'x' }, { value: 5 })).toBe(5)
    expect(lay({}, { value: { a: 1 } })).toEqual({ a: 1 })
  })
})

describe('native', () => {
  const block = { type: 'text', text: 'x', native: { provider: 'gemini', value: {} } }

  it('is known to its provider, and foreign to others', () => {
    expect(nativeOf(block, 'gemini')).toBe(block.native)
    expect(nativeOf(block, 'anthropic')).toBeUndefined()
    expect(nativeOf({ native: 5 }, 'gemini')).toBeUndefined()
    expect(nativeOf(undefined, 'gemini')).toBeUndefined()
    expect(isForeign(block, 'anthropic')).toBe(true)
    expect(isForeign(block, 'gemini')).toBe(false)
    expect(isForeign({ type: 'text', text: 'x' }, 'gemini')).toBe(false)
  })

  it('from the AI SDK is foreign to nobody', () => {
    expect(isForeign({ native: { provider: 'ui', value: {} } }, 'anthropic')).toBe(false)
  })

  it('is left out where a rendering says it all', () => {
    expect(withNative({ type: 'text' }, 'gemini', { text: 'x' }, { text: 'x' })).toEqual({ type: 'text' })
    expect(withNative({ type: 'text' }, 'gemini', { text: 'x' }, { text: 'x' }, 'form')).toEqual({
      type: 'text',
      native: { provider: 'gemini', value: {}, form: 'form' },
    })
  })

  it('of a thing that has no block never takes a type that the store gives a meaning', () => {
    expect(wholeBlock('gemini', { a: 1 }, 'tool_use')).toEqual({
      type: 'unknown',
      native: { provider: 'gemini', value: { a: 1 } },
    })
    expect(wholeBlock('gemini', 5, 'x_new', 'item')).toEqual({
      type: 'x_new',
      native: { provider: 'gemini', value: 5, form: 'item' },
    })
  })
})
