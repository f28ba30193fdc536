import { describe, expect, it } from 'vitest'
import { createNewIds, inLinkOrder } from './links.ts'
import type { SessionLinks } from './types.ts'

const from = (sessionId: string, links?: SessionLinks, agent = 'sess') => ({
  session: { source: { agent, sessionId, digest: '' } },
  ...(links === undefined ? {} : { links }),
})
type Item = Parameters<typeof inLinkOrder>[0][number]

const order = (...items: Item[]) =>
  inLinkOrder(items)
    .map(({ session: { source } }) => source?.sessionId ?? '-')
    .join(' ')

describe('inLinkOrder', () => {
  it('puts a session behind those it is linked to, and leaves the rest', () => {
    expect(order(from('b'), from('a'))).toBe('b a')
    expect(
      order(
        from('grandchild', { parentSessionId: 'child' }),
        from('x'),
        from('child', { parentSessionId: 'top', forkedFrom: { sessionId: 'y', seq: 1 } }),
        from('branch', { branchOf: 'top' }),
        { session: {} },
        from('y'),
        from('top'),
      ),
    ).toBe('top y child grandchild x branch -')
  })

  it('ends in a circle', () => {
    expect(order(from('a', { parentSessionId: 'b' }), from('b', { parentSessionId: 'a' }))).toBe('b a')
    expect(order(from('a', { parentSessionId: 'a' }))).toBe('a')
  })

  it('keeps agents apart', () => {
    expect(order(from('child', { parentSessionId: 'a' }), from('a', undefined, 'goose'))).toBe('child a')
  })

  it('takes a long line', () => {
    const line = Array.from({ length: 50_000 }, (_, index) =>
      from(`${index}`, { parentSessionId: `${index + 1}` }),
    )
    expect(inLinkOrder(line)).toStrictEqual(line.toReversed())
  })
})

describe('createNewIds', () => {
  it('takes the new ids of what came before, and drops links to anything else', async () => {
    const asked: unknown[] = []
    const ids = createNewIds(async (source) => {
      asked.push(source)
      return source.sessionId === 'earlier' ? 'old-earlier' : undefined
    })
    ids.add(from('a'), 'new-a')
    ids.add(from('b', undefined, 'goose'), 'new-b')
    ids.add({ session: {} }, 'new-c')
    expect(
      await ids.linksOf(
        from('c', { parentSessionId: 'a', branchOf: 'a', forkedFrom: { sessionId: 'a', seq: 3 } }),
      ),
    ).toStrictEqual({
      parentSessionId: 'new-a',
      branchOf: 'new-a',
      forkedFrom: { sessionId: 'new-a', seq: 3 },
    })
    expect(asked).toEqual([])
    expect(
      await ids.linksOf(
        from('d', { parentSessionId: 'b', branchOf: 'earlier', forkedFrom: { sessionId: 'x', seq: 3 } }),
      ),
    ).toStrictEqual({ branchOf: 'old-earlier' })
    expect(asked).toEqual([
      { agent: 'sess', sessionId: 'b' },
      { agent: 'sess', sessionId: 'earlier' },
      { agent: 'sess', sessionId: 'x' },
    ])
  })

  it('knows no link of a session without source', async () => {
    const ids = createNewIds(async () => 'found')
    expect(await ids.linksOf({ session: {}, links: { parentSessionId: 'a' } })).toStrictEqual({})
  })
})
