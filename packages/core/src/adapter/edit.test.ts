import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { editRow, prepareMessagePatch } from './edit.ts'

const row = {
  messageId: 'm',
  seq: 4,
  role: 'user',
  createdAt: 7,
  metadataJson: '{"k":1}',
  contentJson: '[{"type":"text","text":"old"}]',
}
const edit = (patch: object, given: Partial<typeof row> = {}) =>
  editRow('s', { ...row, ...given }, patch, limits.messageBytes)

describe('editRow', () => {
  test('changes what is given and keeps the rest', () => {
    expect(edit({ content: 'new' })).toEqual({
      ...row,
      contentJson: '[{"type":"text","text":"new"}]',
      turnPart: 1,
      textJson: null,
      preview: 'new',
    })
    expect(edit({ metadata: { l: 2 } })).toMatchObject({
      contentJson: row.contentJson,
      metadataJson: '{"l":2}',
    })
  })

  test('says anew what the row is to a turn and what a list shows of it', () => {
    expect(edit({ metadata: { agentVisible: false } })).toMatchObject({ turnPart: null, preview: 'old' })
    expect(edit({ metadata: { userVisible: false } })).toMatchObject({ turnPart: 1, preview: undefined })
    expect(edit({ content: [{ type: 'image' }] })).toMatchObject({
      turnPart: 1,
      textJson: '[{"type":"image"}]',
      preview: undefined,
    })
  })

  const mark = '"summary":{"fromSeq":1,"throughSeq":2,"line":[]}'

  test('a summary stays one, also a damaged one whose mark can be read', () => {
    expect(edit({ metadata: {} }, { metadataJson: `{${mark}}` })).toMatchObject({
      turnPart: 5,
      metadataJson: `{${mark}}`,
    })
    expect(
      edit({ content: 'new', metadata: { k: 2 } }, { metadataJson: `{${mark}}`, contentJson: '{broken' }),
    ).toMatchObject({
      turnPart: 5,
      metadataJson: `{"k":2,${mark}}`,
    })
  })

  test.each([
    ['content', { contentJson: '{broken' }],
    ['metadata', { metadataJson: '[]' }],
  ])('a row whose %s cannot be read takes only all of it', (_, damage) => {
    for (const patch of [{ content: 'new' }, { metadata: {} }])
      expect(() => edit(patch, damage)).toThrow(expect.objectContaining({ code: 'corrupt' }))
    expect(edit({ content: 'new', metadata: {} }, damage)).toMatchObject({
      contentJson: '[{"type":"text","text":"new"}]',
      metadataJson: '{}',
      turnPart: 1,
    })
  })

  test.each([
    [
      'a mark of the caller’s',
      { metadata: { summary: { fromSeq: 1, throughSeq: 1, line: [] } } },
      {},
      'invalid',
    ],
    ['a hidden summary', { metadata: { agentVisible: false } }, { metadataJson: `{${mark}}` }, 'invalid'],
    ['content that is none', { content: [{ type: 'text' }] }, {}, 'invalid'],
    ['an unknown role', { content: 'x' }, { role: 'robot' }, 'corrupt'],
  ])('%s is refused', (_, patch, given, code) => {
    expect(() => edit(patch, given)).toThrow(expect.objectContaining({ code }))
  })

  test('what is larger than the store takes is too-large', () => {
    expect(() => editRow('s', row, { content: 'x'.repeat(100) }, 50)).toThrow(
      expect.objectContaining({ code: 'too-large', message: expect.stringContaining('patch has 1') }),
    )
  })
})

test.each([[{ id: 'x' }], [{ role: 'user' }], [null], ['text']])('a patch that is none: %o', (patch) => {
  expect(() => prepareMessagePatch(patch as never, 1000)).toThrow(
    expect.objectContaining({ code: 'invalid' }),
  )
})
