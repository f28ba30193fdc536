import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, isCall, isResult } from './blocks.ts'
import { createCallNames, linkCalls } from './calls.ts'

const use = (id: string, name = 'bash') => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id })
const entry = (role: Entry['role'], ...blocks: Entry['blocks']): Entry => ({
  role,
  blocks,
  metadata: undefined,
})
const short = { fits: (id: string) => /^[a-z_0-9]{1,12}$/.test(id), maximum: 12 }

/** Ids in order, those of results marked. */
function ids(entries: readonly Entry[], rule = short, isExact = false): string[] {
  return linkCalls(entries, rule, () => isExact).flatMap(({ blocks }) =>
    blocks.map((block) => (isCall(block) ? block.id : isResult(block) ? `>${block.tool_use_id}` : '')),
  )
}

describe('linkCalls', () => {
  it('leaves ids that fit', () => {
    expect(ids([entry('assistant', use('a'), use('b')), entry('user', result('b'), result('a'))])).toEqual([
      'a',
      'b',
      '>b',
      '>a',
    ])
  })

  it('gives call and result the same id where theirs does not fit', () => {
    const [call, answer] = ids([entry('assistant', use('A.B')), entry('tool', result('A.B'))])
    expect(call).toMatch(/^A_B_[0-9a-f]{8}$/)
    expect(answer).toBe(`>${call}`)
  })

  it('never gives two calls one id, nor one the id of a call that keeps its own', () => {
    const [clean = ''] = ids([entry('assistant', use('a!'))])
    const given = ids([entry('assistant', use('a!'), use('a?'), use(clean))])
    expect(new Set(given).size).toBe(3)
    expect(given[2]).toBe(clean)
  })

  it('tells a call used again in a later turn from the first', () => {
    const entries = [
      entry('assistant', use('a')),
      entry('user', result('a')),
      entry('assistant', use('a')),
      entry('user', result('a')),
    ]
    expect(ids(entries)).toEqual(['a', '>a', 'a_2', '>a_2'])
    expect(ids(entries, short, true)).toEqual(['a', '>a', 'a', '>a'])
  })

  it('gives a result to the call of its own turn, where an earlier one was never answered', () => {
    expect(
      ids([
        entry('assistant', use('a')),
        entry('user'),
        entry('assistant', use('a')),
        entry('user', result('a')),
      ]),
    ).toEqual(['a', 'a_2', '>a_2'])
  })

  it('takes neighbouring messages of the assistant as one turn', () => {
    const entries = [
      entry('assistant', use('a', 'ls')),
      entry('assistant', use('b', 'cat')),
      entry('user', result('b'), result('a')),
    ]
    const [, , answers] = linkCalls(entries, short, () => false)
    expect(answers?.blocks.map(({ call }) => call)).toEqual([
      { name: 'cat', order: 1 },
      { name: 'ls', order: 0 },
    ])
  })

  it('names the call in its result', () => {
    const [, answers] = linkCalls(
      [entry('assistant', use('a', 'ls'), use('b', 'cat')), entry('user', result('b'), result('x'))],
      short,
      () => false,
    )
    expect(answers?.blocks).toEqual([{ ...result('b'), call: { name: 'cat', order: 1 } }, result('x')])
  })

  it('keeps every pair together and within the rule, whatever the ids', () => {
    const id = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('a', 'a_2', 'A', 'A!', '', 'x'.repeat(500)),
    )
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(id, { minLength: 1, maxLength: 3 }), { maxLength: 5 }), (turns) => {
        const given = linkCalls(
          turns.flatMap((turn) => [
            entry('assistant', ...turn.map((each) => use(each))),
            entry('user', ...turn.toReversed().map(result)),
          ]),
          { fits: short.fits, maximum: 40 },
          () => false,
        )
        const calls = given.flatMap(({ blocks }) => blocks.filter(isCall).map((call) => call.id))
        expect(new Set(calls).size).toBe(calls.length)
        expect(calls.every((call) => /^[a-zA-Z0-9_-]{1,40}$/.test(call))).toBe(true)
        for (let turn = 0; turn < given.length; turn += 2) {
          const uses = given[turn]?.blocks.filter(isCall).map((call) => call.id)
          const answers = given[turn + 1]?.blocks.filter(isResult).map((answer) => answer.tool_use_id)
          expect(answers?.toReversed()).toEqual(uses)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('createCallNames', () => {
  it('numbers calls without an id, and finds their results by name, else in order', () => {
    const names = createCallNames('c')
    expect([names.call(undefined, 'ls'), names.call('', 'cat'), names.call('own', 'ls')]).toEqual([
      'c1',
      'c2',
      'own',
    ])
    expect([
      names.result(undefined, 'cat'),
      names.result('own', 'ls'),
      names.result(undefined, undefined),
    ]).toEqual(['c2', 'own', 'c1'])
  })

  it('gives a result with an id to a call without, by its name', () => {
    const names = createCallNames('c')
    names.call(undefined, 'ls')
    expect(names.result('ls-1755', 'ls')).toBe('c1')
    expect(names.result('other', 'ls')).toBe('other')
  })

  it('looks in the current turn only', () => {
    const names = createCallNames('c')
    names.call(undefined, 'ls')
    names.turn()
    expect(names.result(undefined, 'ls')).toBe('c2')
  })
})
