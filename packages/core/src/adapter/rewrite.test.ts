import { describe, expect, test } from 'vitest'
import { prepareMessages } from '../input/messages.ts'
import { type PreparedRewrite, prepareCompact, prepareReplace } from '../input/rewrite.ts'
import { limits } from '../limits.ts'
import { planCompact, planReplace, type RewriteRequest, type RewriteState } from './rewrite.ts'

const session = {
  version: 4,
  nextSeq: 9,
  lastActiveAt: 500,
  deletedAt: null,
  context: { startSeq: 3 },
}
const state: RewriteState = { session, stored: [] }
const user = (content: string, rest: object = {}) => ({ role: 'user' as const, content, ...rest })

function request(rewrite: PreparedRewrite): RewriteRequest {
  let made = 0
  return { ...rewrite, sessionId: 's', now: 1000, newId: () => `id-${++made}` }
}

const replace = (messages: Parameters<typeof prepareReplace>[1], options = {}) =>
  request(prepareReplace('s', messages, options, limits.messageBytes))

describe('planReplace', () => {
  test('numbers on from the next seq, and begins the context there', () => {
    const plan = planReplace(state, replace([user('one', { createdAt: 700 }), user('two')]))
    expect(plan.receipt).toMatchObject({ version: 5, firstSeq: 9, lastSeq: 10 })
    expect(plan.write).toMatchObject({
      version: 5,
      nextSeq: 11,
      lastActiveAt: 1000,
      preview: 'two',
      context: { startSeq: 9 },
    })
    expect(plan.write?.rows.map(({ seq, messageId, createdAt }) => [seq, messageId, createdAt])).toEqual([
      [9, 'id-1', 700],
      [10, 'id-2', 1000],
    ])
    expect(plan.remember).toBe(false)
  })

  test('by nothing empties: a version more, no rows, no preview', () => {
    const plan = planReplace(state, replace([], { operationId: 'op' }))
    expect(plan).toEqual({
      receipt: { version: 5, messages: [] },
      remember: true,
      write: { rows: [], version: 5, nextSeq: 9, lastActiveAt: 500, preview: '', context: { startSeq: 9 } },
    })
  })

  test('by what has no preview leaves none', () => {
    expect(planReplace(state, replace([user(' ')])).write?.preview).toBe('')
  })

  test('ids that are stored now are free, because their rows go', () => {
    const [stored] = prepareMessages([user('old', { id: 'm' })])
    const row = {
      messageId: 'm',
      seq: 4,
      role: 'user',
      createdAt: 1,
      metadataJson: '{}',
      contentJson: stored?.contentJson ?? '',
    }
    const plan = planReplace({ ...state, stored: [row] }, replace([user('new', { id: 'm' })]))
    expect(plan.write?.rows.map(({ messageId, seq }) => [messageId, seq])).toEqual([['m', 9]])
  })

  test('an operation that was run before is only repeated', () => {
    const again = replace([user('one')], { operationId: 'op' })
    const operation = { digest: again.digest ?? '', version: 3, firstSeq: 7, lastSeq: 7, messages: [] }
    expect(planReplace({ ...state, operation }, again)).toEqual({
      receipt: { version: 3, firstSeq: 7, lastSeq: 7, messages: [] },
      remember: false,
    })
    const other = replace([user('two')], { operationId: 'op' })
    expect(() => planReplace({ ...state, operation }, other)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
  })

  test.each([
    ['there is no session', { session: undefined, stored: [] }, {}, 'not-found'],
    ['it is in the trash', { session: { ...session, deletedAt: 1 }, stored: [] }, {}, 'not-found'],
    ['the version is another', state, { expectedVersion: 3 }, 'conflict'],
  ])('is refused where %s', (_, given, options, code) => {
    expect(() => planReplace(given, replace([], options))).toThrow(expect.objectContaining({ code }))
  })
})

describe('planCompact', () => {
  const compact = (given: RewriteState, options: Parameters<typeof prepareCompact>[1], current?: object) =>
    planCompact(
      given,
      request(prepareCompact('s', options, limits.messageBytes)),
      options,
      current as never,
      limits.messageBytes,
    )

  test('appends the marked summary and moves the context', () => {
    const plan = compact(state, { throughSeq: 6, summary: user('so far', { metadata: { k: 1 } }) })
    expect(plan.write).toMatchObject({
      version: 5,
      nextSeq: 10,
      preview: 'so far',
      context: { startSeq: 7, summarySeq: 9 },
    })
    expect(plan.write?.rows).toMatchObject([
      {
        seq: 9,
        turnPart: 5,
        metadataJson: '{"k":1,"summary":{"fromSeq":3,"throughSeq":6,"line":[]}}',
      },
    ])
    expect(plan.receipt).toMatchObject({ version: 5, firstSeq: 9, lastSeq: 9 })
  })

  test('existence and version come before the bounds, the bounds before the summary’s own rules', () => {
    const hidden = user('x', { metadata: { agentVisible: false } })
    const codes = [
      () => compact({ session: undefined, stored: [] }, { throughSeq: 99, summary: hidden }),
      () => compact(state, { throughSeq: 99, summary: hidden, expectedVersion: 1 }),
      () => compact(state, { throughSeq: 99, summary: hidden }),
      () => compact(state, { throughSeq: 5, summary: hidden }),
    ].map((call) => {
      try {
        return call()
      } catch (error) {
        return (error as { code: string; message: string }).message
      }
    })
    expect(codes).toEqual([
      'there is no session "s"',
      'session "s" is at version 4, not 1',
      "options.throughSeq: must be from 3, the context's start, to 8, the last message",
      'options.summary.metadata.agentVisible: a summary stays visible to the agent',
    ])
  })

  test('a repeat asks for nothing: not for bounds, not for a version', () => {
    const options = { throughSeq: 99, summary: user('so far'), operationId: 'op', expectedVersion: 1 }
    const { digest = '' } = prepareCompact('s', options, limits.messageBytes)
    const operation = { digest, version: 2, firstSeq: 5, lastSeq: 5, messages: [] }
    expect(compact({ ...state, operation }, options)).toEqual({
      receipt: { version: 2, firstSeq: 5, lastSeq: 5, messages: [] },
      remember: false,
    })
  })

  test('the digest is of the bound too, and of the method', () => {
    const digest = (throughSeq: number) =>
      prepareCompact('s', { throughSeq, summary: user('x'), operationId: 'op' }, limits.messageBytes).digest
    expect(digest(1)).not.toBe(digest(2))
    expect(digest(1)).not.toBe(replace([user('x')], { operationId: 'op' }).digest)
    expect(digest(1)).toBe(digest(1))
  })
})
