// What is exported and imported into another store exports the same again, but for what is the new store's own.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import type { SessionStore } from '../port/store.ts'
import type { Message } from '../types/message.ts'
import type { ImportedMessage, ImportedSession } from '../types/transfer.ts'
import { readConversations } from './read.ts'
import type { ExportEnvelope } from './types.ts'
import { exportLines, toExport } from './write.ts'

const exportedAt = Date.UTC(2026, 2, 1, 9)

/** JSON text whose values JavaScript writers get wrong: own `__proto__` keys, half surrogates, line separators. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\ud800', 'a\u2028b\u2029', '\u0000\r\n', '\ufeff', '会话 👩‍💻', '__proto__'),
)
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '', '0'))
const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries)),
}))
const object = fc
  .array(fc.tuple(key, jsonValue), { maxLength: 3 })
  .map((entries): object => Object.fromEntries(entries))

const time = fc.oneof(
  fc.integer({ min: 0, max: 4_102_444_800_000 }),
  fc.constantFrom(-8.64e15, -62_167_219_200_001, -1, 253_402_300_800_000, 8.64e15),
)
const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((value) => !/\p{Cc}/u.test(value) && value.isWellFormed() && value !== '.' && value !== '..')
const count = fc.oneof(fc.nat(), fc.constant(2 ** 53 - 1))
const usage = fc.record(
  {
    input: count,
    output: count,
    total: count,
    cacheRead: count,
    cacheWrite: count,
    cost: fc.constantFrom(0, 0.31, 12),
  },
  { requiredKeys: [] },
)

const block = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  fc.record({ type: fc.constant('tool_use'), id: text, name: text, input: jsonValue }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: text,
    content: fc.oneof(text, fc.constant([])),
  }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  object.map((value) => ({ ...value, type: 'x_other' })),
)
const metadata = fc
  .tuple(
    object,
    fc.record({ userVisible: fc.boolean(), agentVisible: fc.boolean(), usage }, { requiredKeys: [] }),
  )
  .map(([own, known]) => Object.fromEntries([...Object.entries(own), ...Object.entries(known)]))

const messages = fc
  .array(
    fc.record(
      {
        step: fc.integer({ min: 1, max: 3 }),
        role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
        content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
        createdAt: time,
        metadata,
      },
      { requiredKeys: ['step', 'role', 'content'] },
    ),
    { maxLength: 6 },
  )
  .map((drafts) => {
    let seq = 0
    return drafts.map(({ step, ...message }): ImportedMessage => {
      seq += step
      return { ...message, seq, id: `m ${seq}` }
    })
  })

const session = fc.record(
  {
    name: line,
    nameSource: fc.constantFrom('default' as const, 'auto' as const, 'user' as const),
    type: fc.constantFrom('user' as const, 'scheduled' as const, 'sub_agent' as const, 'hidden' as const),
    ownerId: fc.oneof(line, fc.constant('')),
    workingDir: line,
    channelType: line,
    channelKey: line,
    parentSessionId: line,
    forkedFrom: fc.record({ sessionId: line, seq: fc.nat() }),
    branchOf: line,
    providerName: line,
    modelConfig: object,
    mode: line,
    extensionData: object,
    metadata: object,
    tags: fc.array(line, { maxLength: 4 }),
    tokenCounts: fc.record({ last: usage, accumulated: usage }),
    pinned: fc.boolean(),
    archivedAt: time,
    createdAt: time,
    updatedAt: time,
    lastActiveAt: time,
  },
  { requiredKeys: [] },
)

/** A session whose context begins at its last summary, where it has one. */
const conversation = fc
  .tuple(session, messages, fc.nat({ max: 3 }), fc.option(fc.nat()))
  .map(([fields, list, gap, chosen]): { session: ImportedSession; messages: ImportedMessage[] } => {
    const nextSeq = (list.at(-1)?.seq ?? 0) + 1 + gap
    const summary = chosen === null ? undefined : list[chosen % Math.max(1, list.length)]
    if (summary?.seq === undefined)
      return { session: { ...fields, nextSeq, context: { startSeq: nextSeq } }, messages: list }
    const marked = {
      ...summary,
      metadata: { summary: { fromSeq: 1, throughSeq: summary.seq, line: [] }, userVisible: false },
    }
    return {
      session: { ...fields, nextSeq, context: { startSeq: summary.seq, summarySeq: summary.seq } },
      messages: list.map((message) => (message === summary ? marked : message)),
    }
  })

/** What the new store gives itself. */
function carried({ session: exported, messages: list }: ExportEnvelope): object {
  const { id, source, version, change_seq, ...kept } = exported
  return { session: kept, messages: list }
}

async function exported(store: SessionStore, id: string): Promise<ExportEnvelope> {
  const found = await store.sessions.get(id)
  if (found === undefined) throw new Error(`no session ${id}`)
  return toExport(found, await messagesOf(store, id), exportedAt)
}

async function messagesOf(store: SessionStore, id: string): Promise<readonly Message[]> {
  return (await store.messages.read(id, { limit: 1000 })).items
}

describe('an export', () => {
  it('imported into another store exports the same again', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (generated) => {
        const first = createMemoryStore()
        const { session: original } = await first.sessions.import(generated.session, generated.messages)
        const envelope = await exported(first, original.id)
        const inLines: string[] = []
        for await (const item of exportLines(original, await messagesOf(first, original.id), exportedAt)) {
          inLines.push(item)
        }
        const files = [JSON.stringify(envelope), JSON.stringify([envelope], null, 2), inLines.join('')]
        for (const file of files) {
          const second = createMemoryStore({ idPrefix: 'other' })
          const [found] = readConversations(file)
          if (found === undefined) throw new Error('no conversation read')
          const given = { ...found.session, ...found.links }
          const receipt = await second.sessions.import(given, found.messages)
          expect(receipt).toMatchObject({ outcome: 'created', added: generated.messages.length })
          expect(receipt.session.source).toMatchObject({ agent: 'sess', sessionId: original.id })
          const again = await exported(second, receipt.session.id)
          // As text, because key order counts, and an own key named constructor misleads comparisons of objects.
          expect(JSON.stringify(carried(again))).toBe(JSON.stringify(carried(envelope)))
          // The same file again changes nothing.
          expect(await second.sessions.import(given, found.messages)).toMatchObject({
            outcome: 'unchanged',
          })
        }
      }),
      { numRuns: 100 },
    )
  })
})
