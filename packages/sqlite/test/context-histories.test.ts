// Any history of appends, compactions, cuts, resets, forks and rewinds: the agent gets every message that is its own and not
// stood for, each once; and when summaries are lost, all they stood for is back.

import { restoreConversation, type SessionStore } from '@sess/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as model from './context-model.ts'
import { assistant, bothKinds, user } from './stores.ts'

type Step =
  | { readonly do: 'append' | 'replace'; readonly on: number; readonly kinds: readonly Kind[] }
  | { readonly do: 'compact' | 'truncate' | 'fork' | 'rewind'; readonly on: number; readonly seq: number }
  | { readonly do: 'remove'; readonly on: number; readonly seqs: readonly number[] }
  | { readonly do: 'reset' | 'clear'; readonly on: number }
type Kind = 'user' | 'assistant' | 'hidden'

const on = fc.nat(5)
const kinds = fc.array(fc.constantFrom<Kind>('user', 'user', 'assistant', 'assistant', 'hidden'), {
  minLength: 1,
  maxLength: 4,
})
const seq = fc.integer({ min: 0, max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), on, kinds }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('compact' as const), on, seq }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('truncate' as const), on, seq }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), on, seq }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rewind' as const), on, seq }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('remove' as const), on, seqs: fc.uniqueArray(seq) }),
  },
  fc.record({ do: fc.constant('replace' as const), on, kinds }),
  fc.record({ do: fc.constantFrom('reset' as const, 'clear' as const), on }),
)

/** Sessions by their ids, as the model has them. */
type World = Map<string, model.ModelSession>

/** Every text is unlike any other, so that one that came twice is seen. */
let made = 0
function messageOf(kind: Kind) {
  const text = `${kind}-${++made}`
  if (kind === 'hidden') return user(text, { metadata: { agentVisible: false } })
  return kind === 'user' ? user(text) : assistant(text)
}

async function take(store: SessionStore, world: World, given: Step): Promise<void> {
  const ids = [...world.keys()]
  const id = ids[given.on % ids.length] ?? ''
  const before = world.get(id) as model.ModelSession
  const { messages, sessions } = store
  switch (given.do) {
    case 'append':
      await messages.append(id, given.kinds.map(messageOf))
      world.set(id, model.append(before, given.kinds))
      return
    case 'replace':
      await messages.replace(id, given.kinds.map(messageOf))
      world.set(id, model.replace(before, given.kinds))
      return
    case 'compact': {
      const summary = assistant(`summary-${++made}`)
      const compaction = messages.compact(id, { throughSeq: given.seq, summary })
      if (!model.canCompact(before, given.seq)) {
        await expect(compaction).rejects.toMatchObject({ code: 'invalid' })
        return
      }
      await compaction
      world.set(id, model.compact(before, given.seq))
      return
    }
    case 'truncate':
      await messages.truncate(id, { fromSeq: given.seq })
      world.set(
        id,
        model.keep(before, (one) => one < given.seq),
      )
      return
    case 'remove': {
      await messages.remove(id, await idsOf(store, id, given.seqs))
      world.set(
        id,
        model.keep(before, (one) => !given.seqs.includes(one)),
      )
      return
    }
    case 'reset':
      await sessions.resetContext(id)
      world.set(id, model.reset(before))
      return
    case 'clear':
      await messages.clear(id)
      world.set(id, model.clear(before))
      return
    case 'fork': {
      const copy = await sessions.fork(id, { atSeq: given.seq })
      world.set(copy.id, model.fork(before, given.seq))
      return
    }
    case 'rewind': {
      const { branch } = await sessions.rewind(id, { toSeq: given.seq })
      const [rest, moved] = model.rewind(before, given.seq)
      world.set(id, rest)
      expect(branch === undefined).toBe(moved === undefined)
      if (branch && moved) world.set(branch.id, moved)
      return
    }
  }
}

async function idsOf(store: SessionStore, id: string, seqs: readonly number[]): Promise<string[]> {
  const { items } = await store.messages.read(id, { limit: 1000 })
  return items.filter((message) => seqs.includes(message.seq)).map((message) => message.id)
}

/** Holds what a store gives against the model. */
async function check(store: SessionStore, id: string, expected: model.ModelSession): Promise<void> {
  const { items } = await store.messages.read(id, { limit: 1000 })
  // People see everything where it happened.
  expect(items.map((message) => message.seq)).toEqual(expected.rows.map((row) => row.seq))
  const window = await store.messages.recentTurns(id, { turns: 1000 })
  const current = model.currentSummary(expected)
  const rows = model.contextRows(expected)
  expect(window.session?.nextSeq).toBe(expected.nextSeq)
  expect(window.session?.messageCount).toBe(items.length)
  expect(window.session?.context).toEqual({
    startSeq: model.startOf(expected),
    ...(current ? { summarySeq: current.seq } : {}),
  })
  expect(window.summary?.seq).toBe(current?.seq)

  // Without a summary, what stands before the first question is counted instead of given.
  const first = rows.findIndex(({ kind }) => kind === 'user')
  const head = current ? 0 : first < 0 ? rows.length : first
  const given = window.messages.filter(({ metadata }) => metadata.agentVisible !== false)
  expect(given.map((message) => message.seq)).toEqual(rows.slice(head).map((row) => row.seq))
  expect(window.dropped).toBe(head)

  // Nothing comes twice, neither as a row nor through the summary.
  const { fromSeq = 0, throughSeq = 0 } = window.summary?.metadata.summary ?? {}
  expect(given.filter((message) => message.seq >= fromSeq && message.seq <= throughSeq)).toEqual([])
  const { messages } = await restoreConversation(store, id, { turns: 1000 })
  const said = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.flatMap((block) => ('text' in block ? [String(block.text)] : [])))
    .flatMap((text) => text.split('\n\n'))
  const textOf = (row: model.ModelRow | undefined) =>
    items
      .filter((message) => message.seq === row?.seq)
      .flatMap(({ content }) => content.map((block) => ('text' in block ? block.text : '')))
  expect(said).toEqual([
    ...textOf(current),
    ...rows.filter(({ kind }) => kind === 'user').flatMap((row) => textOf(row)),
  ])
}

describe.each(bothKinds)('$kind', ({ open }) => {
  test('an agent gets what is its own and not stood for, each once, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
        const { store } = await open()
        await store.sessions.create({ id: 's' })
        const world: World = new Map([['s', model.emptySession]])
        for (const one of steps) {
          await take(store, world, one)
          for (const [id, expected] of world) await check(store, id, expected)
        }
        // Summaries lost one by one, newest first or oldest first: in the end all they stood for is back.
        for (const [index, [id, expected]] of [...world].entries()) {
          let left = expected
          const summaries = expected.rows.filter(({ kind }) => kind === 'summary').map((row) => row.seq)
          for (const lost of index % 2 === 0 ? summaries : summaries.reverse()) {
            await store.messages.remove(id, await idsOf(store, id, [lost]))
            left = model.keep(left, (one) => one !== lost)
            await check(store, id, left)
          }
          const all = expected.rows.filter(({ kind }) => kind === 'user' || kind === 'assistant')
          expect(model.contextRows(left)).toEqual(all.filter((row) => row.seq >= expected.resetAt))
        }
        await store.close()
      }),
      { numRuns: Number(process.env.SESS_RUNS ?? 60) },
    )
  }, 300_000)
})
