import { describe, expect, test } from 'vitest'
import { preparePatch } from '../input/sessions.ts'
import type { SessionPatch } from '../types/session.ts'
import { patchFields } from './patch.ts'
import type { SessionRecord } from './records.ts'

const fields = (patch: SessionPatch, row: Partial<SessionRecord> = { archivedAt: null }) =>
  patchFields(preparePatch(patch), row as SessionRecord, 1000)

describe('patchFields', () => {
  test('an empty patch, conditions and tags change no column', () => {
    expect(fields({})).toStrictEqual({})
    expect(fields({ ifChangeSeq: 4, ifNameSource: ['auto'], tags: ['a'] })).toStrictEqual({})
  })

  test('every field has its column', () => {
    expect(
      fields({
        name: 'Trip',
        type: 'acp',
        workingDir: '/tmp',
        providerName: 'p',
        mode: 'auto',
        modelConfig: { a: 1 },
        extensionData: { b: 2 },
        metadata: { c: 3 },
        pinned: true,
        archived: true,
      }),
    ).toStrictEqual({
      name: 'Trip',
      nameSource: 'user',
      sessionType: 'acp',
      workingDir: '/tmp',
      providerName: 'p',
      mode: 'auto',
      modelConfig: '{"a":1}',
      extensionData: '{"b":2}',
      metadata: '{"c":3}',
      pinned: 1,
      archivedAt: 1000,
    })
  })

  test('null clears', () => {
    expect(fields({ workingDir: null, providerName: null, mode: null, modelConfig: null })).toStrictEqual({
      workingDir: null,
      providerName: null,
      mode: null,
      modelConfig: null,
    })
  })

  test('archiving again keeps the time, bringing back clears it', () => {
    expect(fields({ archived: true }, { archivedAt: 5 })).toStrictEqual({ archivedAt: 5 })
    expect(fields({ archived: false }, { archivedAt: 5 })).toStrictEqual({ archivedAt: null })
    expect(fields({ archived: false })).toStrictEqual({ archivedAt: null })
    expect(fields({ pinned: false })).toStrictEqual({ pinned: 0 })
  })
})
