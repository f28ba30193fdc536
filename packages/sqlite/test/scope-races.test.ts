// Two owners who choose the same ids at once, on one handle of each kind of store and on two handles of one file.

import { join } from 'node:path'
import { type SessionStore, scopeStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../src/index.ts'
import { allKinds, closeLater, user } from './stores.ts'
import { temporaryFolder } from './support.ts'

const kinds: readonly { readonly kind: string; open(): Promise<readonly [SessionStore, SessionStore]> }[] = [
  ...allKinds.map(({ kind, open }) => ({
    kind,
    async open() {
      const { store } = await open()
      return [store, store] as const
    },
  })),
  {
    kind: 'two handles',
    async open() {
      const path = join(temporaryFolder(), 'sess.db')
      const stores = [await openSqliteStore({ path }), await openSqliteStore({ path })] as const
      for (const store of stores) closeLater(store)
      return stores
    },
  },
]

describe.each(kinds)('$kind', ({ open }) => {
  test('each session is of one of them, and holds only what that one wrote', async () => {
    const [first, second] = await open()
    const views = [
      { owner: 'ana', view: scopeStore(first, { ownerId: 'ana' }) },
      { owner: 'bo', view: scopeStore(second, { ownerId: 'bo' }) },
    ]
    for (let round = 0; round < 20; round++) {
      const id = `s${round}`
      // Either comes first in every second round.
      const both = round % 2 === 0 ? views : views.toReversed()
      const outcomes = await Promise.all(
        both.map(({ owner, view }) =>
          view.messages.append(id, [user(`of ${owner}`)], { createSession: true }).then(
            () => owner,
            ({ code }: { code: string }) => code,
          ),
        ),
      )
      const winner = (await first.sessions.get(id))?.ownerId
      const loser = winner === 'ana' ? 'bo' : 'ana'
      expect(outcomes.toSorted()).toEqual(['already-exists', winner].toSorted())
      for (const { owner, view } of views) {
        const texts = (await view.messages.read(id)).items.map(({ content }) => content)
        expect([owner, texts]).toEqual([
          owner,
          owner === loser ? [] : [[{ type: 'text', text: `of ${owner}` }]],
        ])
      }
      const purges = await Promise.all(
        both.map(({ owner, view }) =>
          view.sessions.remove(id, { purge: true }).then((removed) => [owner, removed] as const),
        ),
      )
      expect(Object.fromEntries(purges)).toEqual({ [winner ?? '']: true, [loser]: false })
    }
  })
})
