import { describe, expect, test } from 'vitest'
import type { NewSession, SessionPatch } from '../types/session.ts'
import { checkSessionId, patchConflict, preparePatch, prepareSession } from './sessions.ts'

const invalid = (message: string) => expect.objectContaining({ name: 'StoreError', code: 'invalid', message })
const types = '"user"|"scheduled"|"sub_agent"|"hidden"|"terminal"|"gateway"|"acp"'

describe('prepareSession', () => {
  test('fills in defaults', () => {
    expect(prepareSession({}, 'en')).toEqual({
      id: undefined,
      name: 'New session',
      nameFolded: 'new session',
      nameSource: 'default',
      type: 'user',
      ownerId: '',
      workingDir: undefined,
      channelType: undefined,
      channelKey: undefined,
      parentSessionId: undefined,
      providerName: undefined,
      mode: undefined,
      createdAt: undefined,
      modelConfigJson: undefined,
      extensionDataJson: '{}',
      metadataJson: '{}',
      tags: [],
    })
  })

  test('the default name is the locale’s', () => {
    expect(prepareSession({}, 'zh')).toMatchObject({ name: '新会话', nameSource: 'default' })
  })

  test('takes every field, turning objects into JSON text', () => {
    expect(
      prepareSession(
        {
          id: 'telegram:42',
          name: 'Straße',
          type: 'gateway',
          ownerId: 'ann',
          workingDir: '/home/ann',
          channelType: 'telegram',
          channelKey: '42',
          parentSessionId: 'root',
          providerName: 'anthropic',
          mode: 'auto',
          createdAt: 1000,
          modelConfig: { temperature: 0.5 },
          extensionData: { todo: ['a'] },
          metadata: { z: 1, a: -0, none: undefined },
          tags: ['b', 'a'],
        },
        'en',
      ),
    ).toEqual({
      id: 'telegram:42',
      name: 'Straße',
      nameFolded: 'strasse',
      nameSource: 'user',
      type: 'gateway',
      ownerId: 'ann',
      workingDir: '/home/ann',
      channelType: 'telegram',
      channelKey: '42',
      parentSessionId: 'root',
      providerName: 'anthropic',
      mode: 'auto',
      createdAt: 1000,
      modelConfigJson: '{"temperature":0.5}',
      extensionDataJson: '{"todo":["a"]}',
      metadataJson: '{"z":1,"a":0}',
      tags: ['a', 'b'],
    })
  })

  test('a name that is given is the user’s, also when it is the default one', () => {
    expect(prepareSession({ name: 'New session' }, 'en').nameSource).toBe('user')
  })

  test('tags are sorted by code unit, without repeats', () => {
    const tags = ['b', 'a', 'B', 'b', '\uff5e', '😀', 'ä']
    expect(prepareSession({ tags }, 'en').tags).toEqual(['B', 'a', 'b', 'ä', '😀', '\uff5e'])
  })

  test('an own __proto__ in an object is stored as it is', () => {
    const metadata = JSON.parse('{"__proto__": {"x": 1}}')
    expect(prepareSession({ metadata }, 'en').metadataJson).toBe('{"__proto__":{"x":1}}')
  })

  test('an emoji counts as one code point', () => {
    expect(prepareSession({ id: '😀'.repeat(256) }, 'en').id).toBe('😀'.repeat(256))
    expect(prepareSession({ name: '😀'.repeat(500) }, 'en').name).toBe('😀'.repeat(500))
    expect(prepareSession({ tags: ['😀'.repeat(100)] }, 'en').tags).toEqual(['😀'.repeat(100)])
  })

  test.each<[string, unknown, string]>([
    ['no object', null, 'session: invalid input: expected object, received null'],
    ['a list', [], 'session: invalid input: expected object, received array'],
    ['an empty id', { id: '' }, 'session.id: must not be empty'],
    ['an id of 257 letters', { id: 'x'.repeat(257) }, 'session.id: must have at most 256 code points'],
    ['an id of 257 emoji', { id: '😀'.repeat(257) }, 'session.id: must have at most 256 code points'],
    ['a newline in an id', { id: 'a\nb' }, 'session.id: must not contain control characters'],
    [
      'half of a pair in an id',
      { id: 'a\ud83d' },
      'session.id: must be well-formed Unicode (it has half of a surrogate pair)',
    ],
    ['the id "."', { id: '.' }, 'session.id: must not be "." or ".."'],
    ['the id ".."', { id: '..' }, 'session.id: must not be "." or ".."'],
    ['a number as id', { id: 5 }, 'session.id: invalid input: expected string, received number'],
    ['null as id', { id: null }, 'session.id: invalid input: expected string, received null'],
    ['an empty name', { name: '' }, 'session.name: must not be empty'],
    ['NUL in a name', { name: 'a\0' }, 'session.name: must not contain control characters'],
    ['a name of 501', { name: 'é'.repeat(501) }, 'session.name: must have at most 500 code points'],
    ['a tab in a path', { workingDir: 'a\tb' }, 'session.workingDir: must not contain control characters'],
    ['a parent of ".."', { parentSessionId: '..' }, 'session.parentSessionId: must not be "." or ".."'],
    ['another type', { type: 'agent' }, `session.type: invalid option: expected one of ${types}`],
    ['an empty tag', { tags: ['a', ''] }, 'session.tags[1]: must not be empty'],
    ['a tag of 101', { tags: ['x'.repeat(101)] }, 'session.tags[0]: must have at most 100 code points'],
    [
      '101 tags',
      { tags: Array.from({ length: 101 }, (_, index) => `${index}`) },
      'session.tags: too big: expected array to have <=100 items',
    ],
    ['one tag as text', { tags: 'a' }, 'session.tags: invalid input: expected array, received string'],
    ['a list as metadata', { metadata: [] }, 'session.metadata: must be an object'],
    ['a Map as metadata', { metadata: new Map() }, 'session.metadata is a Map, not a plain object'],
    [
      'a bigint in metadata',
      { metadata: { a: [1, { b: 1n }] } },
      'session.metadata.a[1].b is a bigint, which JSON does not have',
    ],
    [
      'a Date in extension data',
      { extensionData: { at: new Date(0) } },
      'session.extensionData.at is a Date, not a plain object',
    ],
    [
      'NaN in the model’s settings',
      { modelConfig: { temperature: Number.NaN } },
      'session.modelConfig.temperature is NaN, which JSON does not have',
    ],
    [
      'half a millisecond',
      { createdAt: 1.5 },
      'session.createdAt: invalid input: expected int, received number',
    ],
    [
      'a date as text',
      { createdAt: '2026-03-01' },
      'session.createdAt: invalid input: expected number, received string',
    ],
    ['a field nobody knows', { titel: 'x' }, 'session.titel is not a field that is known here'],
    ['a field of a patch', { pinned: true }, 'session.pinned is not a field that is known here'],
  ])('%s is invalid', (_, input, message) => {
    expect(() => prepareSession(input as NewSession, 'en')).toThrow(invalid(message))
  })

  test('errors begin with the name of the argument', () => {
    expect(() => prepareSession({ id: '' }, 'en', 'options.createSession')).toThrow(
      invalid('options.createSession.id: must not be empty'),
    )
    expect(() => checkSessionId('', 'parentId')).toThrow(invalid('parentId: must not be empty'))
  })
})

describe('preparePatch', () => {
  test('what is absent or undefined stays absent', () => {
    expect(preparePatch({})).toStrictEqual({})
    expect(preparePatch({ name: undefined, mode: undefined, tags: undefined } as never)).toStrictEqual({})
  })

  test('null clears, false and empty lists are values', () => {
    expect(
      preparePatch({
        workingDir: null,
        providerName: null,
        mode: null,
        modelConfig: null,
        tags: [],
        pinned: false,
        archived: false,
      }),
    ).toStrictEqual({
      workingDir: null,
      providerName: null,
      mode: null,
      modelConfigJson: null,
      tags: [],
      pinned: false,
      archived: false,
    })
  })

  test('a name given without its source is the user’s, with one it is that one’s', () => {
    expect(preparePatch({ name: 'Café' })).toStrictEqual({
      name: 'Café',
      nameFolded: 'cafe',
      nameSource: 'user',
    })
    expect(preparePatch({ name: 'Café', nameSource: 'auto' })).toMatchObject({ nameSource: 'auto' })
    expect(preparePatch({ nameSource: 'default' })).toStrictEqual({ nameSource: 'default' })
  })

  test('objects become the JSON text that replaces the whole', () => {
    const metadata = JSON.parse('{"__proto__": 1, "b": 2}')
    expect(preparePatch({ modelConfig: { a: 1 }, extensionData: {}, metadata })).toStrictEqual({
      modelConfigJson: '{"a":1}',
      extensionDataJson: '{}',
      metadataJson: '{"__proto__":1,"b":2}',
    })
  })

  test('conditions, type and tags are handed on', () => {
    expect(
      preparePatch({ ifChangeSeq: 7, ifNameSource: ['default', 'auto'], type: 'acp', tags: ['b', 'a', 'b'] }),
    ).toStrictEqual({ ifChangeSeq: 7, ifNameSource: ['default', 'auto'], type: 'acp', tags: ['a', 'b'] })
  })

  test.each<[string, unknown, string]>([
    ['a field nobody knows', { titel: 'x' }, 'patch.titel is not a field that is known here'],
    ['an id', { id: 'x' }, 'patch.id is not a field that is known here'],
    ['an owner', { ownerId: 'x' }, 'patch.ownerId is not a field that is known here'],
    [
      'an own __proto__',
      JSON.parse('{"__proto__": {"name": "x"}}'),
      'patch.__proto__ is not a field that is known here',
    ],
    ['null as name', { name: null }, 'patch.name: invalid input: expected string, received null'],
    ['null as metadata', { metadata: null }, 'patch.metadata: must be an object'],
    ['a newline in a name', { name: 'a\nb' }, 'patch.name: must not contain control characters'],
    [
      'an unknown source',
      { ifNameSource: ['me'] },
      'patch.ifNameSource[0]: invalid option: expected one of "default"|"auto"|"user"',
    ],
    ['1 as pinned', { pinned: 1 }, 'patch.pinned: invalid input: expected boolean, received number'],
    [
      'a function in metadata',
      { metadata: { f: () => 1 } },
      'patch.metadata.f is a function, which JSON does not have',
    ],
    ['undefined', undefined, 'patch: invalid input: expected object, received undefined'],
  ])('%s is invalid', (_, patch, message) => {
    expect(() => preparePatch(patch as SessionPatch)).toThrow(invalid(message))
  })
})

describe('patchConflict', () => {
  const session = { nameSource: 'auto', changeSeq: 7 } as const

  test.each<[SessionPatch, string | undefined]>([
    [{}, undefined],
    [{ ifChangeSeq: 7 }, undefined],
    [{ ifChangeSeq: 6 }, 'the session’s changeSeq is 7, not 6'],
    [{ ifNameSource: ['default', 'auto'] }, undefined],
    [{ ifNameSource: ['default'] }, 'the session’s nameSource is "auto"'],
    [{ ifNameSource: [] }, 'the session’s nameSource is "auto"'],
    [{ ifChangeSeq: 7, ifNameSource: ['user'] }, 'the session’s nameSource is "auto"'],
  ])('%j', (patch, message) => {
    const conflict = patchConflict(preparePatch(patch), session)
    expect(conflict?.message.replaceAll("'", '’')).toBe(message)
    expect(conflict?.code).toBe(message && 'conflict')
  })
})
