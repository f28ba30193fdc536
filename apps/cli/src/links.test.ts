import type { ImportedSession } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { createLinks, inLinkOrder } from './links.ts'

const from = (sessionId: string, links: Partial<ImportedSession> = {}, agent = 'sess'): ImportedSession => ({
  source: { agent, sessionId, digest: '' },
  ...links,
})

const order = (...sessions: ImportedSession[]) =>
  inLinkOrder(sessions, (session) => session)
    .map(({ source }) => source?.sessionId ?? '-')
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
        {},
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
    expect(order(from('child', { parentSessionId: 'a' }), from('a', {}, 'goose'))).toBe('child a')
  })

  it('takes a long line', () => {
    const line = Array.from({ length: 50_000 }, (_, index) =>
      from(`${index}`, { parentSessionId: `${index + 1}` }),
    )
    expect(inLinkOrder(line, (session) => session)).toStrictEqual(line.toReversed())
  })
})

describe('createLinks', () => {
  it('takes the new ids of what came before, and drops links to anything else', () => {
    const links = createLinks()
    links.stored(from('a'), 'new-a')
    links.stored(from('b', {}, 'goose'), 'new-b')
    links.stored({}, 'new-c')
    const child = from('c', {
      name: 'Sub',
      parentSessionId: 'a',
      branchOf: 'a',
      forkedFrom: { sessionId: 'a', seq: 3 },
    })
    expect(links.relink(child)).toEqual({
      name: 'Sub',
      source: child.source,
      parentSessionId: 'new-a',
      branchOf: 'new-a',
      forkedFrom: { sessionId: 'new-a', seq: 3 },
    })
    const stray = from('d', { parentSessionId: 'b', branchOf: 'x', forkedFrom: { sessionId: 'b', seq: 3 } })
    expect(links.relink(stray)).toEqual({ source: stray.source })
  })
})
