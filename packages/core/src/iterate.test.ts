import { describe, expect, test } from 'vitest'
import { iterate } from './iterate.ts'
import { createMemoryStore } from './memory/store.ts'
import type { MessagePage, MessageRange } from './port/messages.ts'
import type { SessionStore } from './port/store.ts'
import type { Message } from './types/message.ts'

const user = (content: string) => ({ role: 'user' as const, content })

async function openNumbered(count: number): Promise<SessionStore> {
  const store = createMemoryStore()
  await store.messages.append(
    's',
    Array.from({ length: count }, (_, index) => user(`${index + 1}`)),
    {
      createSession: true,
    },
  )
  return store
}

async function seqsOf(messages: AsyncIterable<Message>): Promise<number[]> {
  const seqs: number[] = []
  for await (const { seq } of messages) seqs.push(seq)
  return seqs
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A store whose pages are given, by the cursor that leads to each; it writes down what it is asked. */
function pagesOf(pages: Readonly<Record<string, MessagePage>>) {
  const asked: (MessageRange | undefined)[] = []
  const read = async (_: string, range?: MessageRange) => {
    asked.push(range)
    return pages[range?.cursor ?? 'first'] as MessagePage
  }
  return { asked, store: { messages: { read } } as unknown as SessionStore }
}

describe('iterate', () => {
  test.each([0, 1, 50, 51, 100, 120])('gives all of %i messages in order', async (count) => {
    expect(await seqsOf(iterate(await openNumbered(count), 's'))).toEqual(upTo(count))
  })

  test.each<[string, MessageRange, number[]]>([
    ['a range', { fromSeq: 3, toSeq: 6 }, [3, 4, 5, 6]],
    ['a range page by page', { fromSeq: 3, toSeq: 6, limit: 1 }, [3, 4, 5, 6]],
    ['backwards', { fromSeq: 7, order: 'desc', limit: 2 }, [10, 9, 8, 7]],
    ['beyond the end', { fromSeq: 11 }, []],
  ])('gives %s', async (_, range, expected) => {
    expect(await seqsOf(iterate(await openNumbered(10), 's', range))).toEqual(expected)
  })

  test('of an unknown session gives nothing', async () => {
    expect(await seqsOf(iterate(createMemoryStore(), 'nobody'))).toEqual([])
  })

  test('goes on from a cursor', async () => {
    const store = await openNumbered(5)
    const { nextCursor: cursor = '' } = await store.messages.read('s', { limit: 2 })
    expect(await seqsOf(iterate(store, 's', { limit: 2, cursor }))).toEqual([3, 4, 5])
  })

  test('gives what is appended meanwhile, and not what is taken away', async () => {
    const store = await openNumbered(3)
    const seen: number[] = []
    for await (const { seq, id } of iterate(store, 's', { limit: 1 })) {
      seen.push(seq)
      if (seq === 1) await store.messages.remove('s', [id])
      if (seq === 2) await store.messages.truncate('s', { fromSeq: 3 })
      if (seen.length < 4) await store.messages.append('s', [user('more')])
    }
    // 4 was appended at 1 and went with 3; 6 came when the last page had been read.
    expect(seen).toEqual([1, 2, 5])
  })

  test('leaves out damaged rows, also where a whole page is damaged', async () => {
    const message = (seq: number) => ({ seq }) as Message
    const { store, asked } = pagesOf({
      first: { items: [message(1)], damaged: [{ seq: 2, reason: 'x' }], nextCursor: 'b' },
      b: { items: [], damaged: [{ seq: 3, reason: 'x' }], nextCursor: 'c' },
      c: { items: [message(4)] },
    })
    expect(await seqsOf(iterate(store, 's', { limit: 2, order: 'asc' }))).toEqual([1, 4])
    expect(asked).toEqual([
      { limit: 2, order: 'asc' },
      { limit: 2, order: 'asc', cursor: 'b' },
      { limit: 2, order: 'asc', cursor: 'c' },
    ])
  })

  test('reads a page only when it is wanted', async () => {
    const { store, asked } = pagesOf({ first: { items: [{ seq: 1 } as Message], nextCursor: 'b' } })
    for await (const { seq } of iterate(store, 's')) {
      expect(seq).toBe(1)
      break
    }
    expect(asked.length).toBe(1)
  })

  test('throws what the store throws', async () => {
    const store = await openNumbered(1)
    await expect(seqsOf(iterate(store, 's', { limit: 0 }))).rejects.toMatchObject({
      code: 'invalid',
      operation: 'messages.read',
    })
    await store.close()
    await expect(seqsOf(iterate(store, 's'))).rejects.toMatchObject({ code: 'closed' })
  })
})
