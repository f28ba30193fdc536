import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../text/fold.ts'
import { branchOf, checkFork, checkRewind, forkOf, seqOf } from './copies.ts'
import type { SessionRecord } from './records.ts'

const row: SessionRecord = {
  rowId: 1,
  id: 's',
  name: 'Trip',
  nameSource: 'auto',
  sessionType: 'user',
  ownerId: 'ana',
  workingDir: '/work',
  channelType: 'web',
  channelKey: 'k',
  parentSessionId: 'p',
  forkedFromSessionId: 'f',
  forkedFromSeq: 3,
  branchOf: 'b',
  sourceAgent: 'goose',
  sourceSessionId: 'g',
  sourceDigest: 'd',
  providerName: 'acme',
  mode: 'auto',
  preview: 'line',
  pinned: 1,
  archivedAt: 5,
  deletedAt: 6,
  createdAt: 1,
  updatedAt: 2,
  lastActiveAt: 3,
  messageCount: 4,
  nextSeq: 5,
  version: 6,
  changeSeq: 7,
  contextStartSeq: 2,
  contextSummarySeq: 3,
  tokenCounts: '{"last":{},"accumulated":{"input":1}}',
  modelConfig: '{"m":1}',
  extensionData: '{"e":1}',
  metadata: '{"d":1}',
}

const copied = {
  name: 'Trip',
  nameFolded: 'trip',
  nameSource: 'auto',
  type: 'user',
  ownerId: 'ana',
  workingDir: '/work',
  channelType: 'web',
  channelKey: undefined,
  parentSessionId: undefined,
  providerName: 'acme',
  mode: 'auto',
  createdAt: undefined,
  modelConfigJson: '{"m":1}',
  extensionDataJson: '{"e":1}',
  metadataJson: '{"d":1}',
  tags: ['t'],
}

describe('forkOf', () => {
  test('takes along what a copy takes, under a new name and the id that is given', () => {
    expect(forkOf(row, ['t'], { id: 'new' }, 'en')).toEqual({
      ...copied,
      id: 'new',
      name: 'Trip (copy)',
      nameFolded: foldText('Trip (copy)'),
    })
    expect(forkOf(row, ['t'], { name: 'Mine' }, 'zh')).toEqual({
      ...copied,
      id: undefined,
      name: 'Mine',
      nameFolded: 'mine',
      nameSource: 'user',
    })
  })

  test('what is absent stays absent', () => {
    const bare = {
      ...row,
      workingDir: null,
      channelType: null,
      providerName: null,
      mode: null,
      modelConfig: null,
    }
    expect(forkOf(bare, [], {}, 'en')).toMatchObject({
      workingDir: undefined,
      channelType: undefined,
      providerName: undefined,
      mode: undefined,
      modelConfigJson: undefined,
    })
  })

  test('any name with its suffix has at most 500 code points and stays well-formed', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 500, size: 'max' })
    fc.assert(
      fc.property(name, fc.constantFrom('en' as const, 'zh' as const), (given, locale) => {
        const made = forkOf({ ...row, name: given }, [], {}, locale).name
        const suffix = locale === 'en' ? ' (copy)' : ' (副本)'
        expect(made.endsWith(suffix)).toBe(true)
        expect([...made].length).toBeLessThanOrEqual(500)
        expect(made.isWellFormed()).toBe(true)
        const kept = made.slice(0, -suffix.length)
        expect(given.startsWith(kept)).toBe(true)
        // Nothing is cut where there is room.
        if ([...given].length + suffix.length <= 500) expect(kept).toBe(given)
        else expect([...made].length).toBe(500)
      }),
    )
  })
})

test('branchOf keeps the name and hides the session', () => {
  expect(branchOf(row, ['t'])).toEqual({ ...copied, id: undefined, type: 'hidden' })
})

test('seqOf names what is not there', () => {
  expect(seqOf('s', 'm', 4)).toBe(4)
  expect(() => seqOf('s', 'm', undefined)).toThrow(
    expect.objectContaining({ code: 'not-found', message: 'session "s" has no message "m"' }),
  )
})

describe('options', () => {
  test.each([[{}], [{ atSeq: 0 }], [{ atMessageId: 'm' }], [{ id: 'i', name: 'n', atSeq: 3 }]])(
    'of a fork: %o',
    (options) => {
      expect(() => checkFork(options)).not.toThrow()
    },
  )

  test.each([
    [{ atSeq: -1 }],
    [{ atSeq: 1.5 }],
    [{ atSeq: 1, atMessageId: 'm' }],
    [{ atMessageId: '' }],
    [{ id: '.' }],
    [{ name: 'x'.repeat(501) }],
    [{ ownerId: 'x' }],
  ])('of no fork: %o', (options) => {
    expect(() => checkFork(options as object)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  test.each([[{ toSeq: 0 }], [{ toMessageId: 'm' }]])('of a rewind: %o', (options) => {
    expect(() => checkRewind(options)).not.toThrow()
  })

  test.each([[{}], [{ toSeq: 1, toMessageId: 'm' }], [{ toSeq: -1 }], [{ toSeq: 0, at: 1 }]])(
    'of no rewind: %o',
    (options) => {
      expect(() => checkRewind(options)).toThrow(expect.objectContaining({ code: 'invalid' }))
    },
  )
})
