// Creating and getting sessions: defaults, fields, and what is no session.

import assert from 'node:assert/strict'
import type { NewSession, Session } from '@sess/core'
import { rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const family = '\u{1f469}\u200d\u{1f467}'

/** Every field that may be given, but id and time. */
const everyField: NewSession = {
  name: 'Plan a trip',
  type: 'gateway',
  ownerId: 'ada',
  workingDir: '/home/ada/trip',
  channelType: 'telegram',
  channelKey: '42',
  parentSessionId: 'parent',
  providerName: 'anthropic',
  modelConfig: { model: 'm', temperature: 0.5 },
  mode: 'auto',
  extensionData: { todo: ['a', 'b'] },
  metadata: { project: 'x', nested: { deep: [1, null] } },
  tags: ['b', 'a'],
}

export const sessionCreateSpecs: readonly Spec[] = [
  {
    id: 'SES-01',
    group,
    title: 'a session created with nothing has every default, and absent fields are not there at all',
    async run({ store }) {
      const created = await store.sessions.create()
      assert.ok(Number.isSafeInteger(created.changeSeq) && created.changeSeq >= 1)
      const expected: Session = {
        id: '20260301_1',
        name: 'New session',
        nameSource: 'default',
        type: 'user',
        ownerId: '',
        extensionData: {},
        metadata: {},
        tags: [],
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt: startTime,
        updatedAt: startTime,
        lastActiveAt: startTime,
        messageCount: 0,
        nextSeq: 1,
        preview: '',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: created.changeSeq,
      }
      assert.deepEqual(created, expected)
      assert.deepEqual(await store.sessions.get('20260301_1'), expected)
    },
  },
  {
    id: 'SES-02',
    group,
    title: 'a session keeps every field it is created with',
    async run({ store, clock }) {
      const createdAt = startTime - 86_400_000
      clock.advance(5)
      const created = await store.sessions.create({ ...everyField, id: 'telegram:42', createdAt })
      const expected = {
        ...everyField,
        id: 'telegram:42',
        nameSource: 'user',
        tags: ['a', 'b'],
        tokenCounts: { last: {}, accumulated: {} },
        pinned: false,
        createdAt,
        updatedAt: startTime + 5,
        lastActiveAt: createdAt,
        messageCount: 0,
        nextSeq: 1,
        preview: '',
        context: { startSeq: 1 },
        version: 1,
        changeSeq: created.changeSeq,
      }
      assert.deepEqual(created, expected)
      assert.deepEqual(await store.sessions.get('telegram:42'), expected)
    },
  },
  {
    id: 'SES-03',
    group,
    title: 'get answers undefined for an unknown id and for one that no session can have',
    async run({ store }) {
      await store.sessions.create({ id: 'known' })
      for (const id of ['unknown', '', '.', 'known\u0000', '\ud83d', 'x'.repeat(257)]) {
        assert.equal(await store.sessions.get(id), undefined, JSON.stringify(id))
      }
    },
  },
  {
    id: 'SES-04',
    group,
    title: 'an id that is taken is already-exists, and the session there stays as it is',
    async run({ store }) {
      const first = await store.sessions.create({ id: 'taken', name: 'first' })
      await rejects('already-exists', 'sessions.create', () =>
        store.sessions.create({ id: 'taken', name: 'second' }),
      )
      assert.deepEqual(await store.sessions.get('taken'), first)
    },
  },
  {
    id: 'SES-05',
    group,
    title: 'the default name follows the locale',
    options: { locale: 'zh' },
    async run({ store }) {
      const { name, nameSource } = await store.sessions.create()
      assert.deepEqual({ name, nameSource }, { name: '新会话', nameSource: 'default' })
    },
  },
  {
    id: 'SES-06',
    group,
    title: 'an id of 1 to 256 code points is taken as it is',
    async run({ store }) {
      const ids = ['scheduler_daily', 'telegram:42', 'a/b?c#d%20', '...', ' ', "o'clock", '会话', family]
      for (const id of [...ids, family.repeat(85), 'x'.repeat(256)]) {
        assert.equal((await store.sessions.create({ id })).id, id)
        assert.equal((await store.sessions.get(id))?.id, id)
        const { messages } = await store.messages.append(id, [{ role: 'user', content: 'hi' }])
        assert.equal(messages[0]?.sessionId, id)
      }
    },
  },
  {
    id: 'SES-07',
    group,
    title: 'an id that is empty, a dot, too long, ill-formed or has control characters is invalid',
    async run({ store }) {
      for (const id of ['', '.', '..', 'x'.repeat(257), 'a\u0000b', 'a\nb', 'a\u007fb', '\ud83dx', 5]) {
        await rejects('invalid', 'sessions.create', () => store.sessions.create({ id: id as string }))
      }
    },
  },
  {
    id: 'SES-08',
    group,
    title: 'ids that differ in case, normal form or spaces are different sessions',
    async run({ store }) {
      const ids = ['key', 'KEY', 'key ', ' key', '\u00e9', 'e\u0301', '1', '01', '1.0']
      for (const id of ids) await store.sessions.create({ id, name: `name of ${id}` })
      for (const id of ids) assert.equal((await store.sessions.get(id))?.name, `name of ${id}`)
    },
  },
  {
    id: 'SES-09',
    group,
    title: 'a name has 1 to 500 code points and a tag 1 to 100, of any script',
    async run({ store }) {
      const name = '\u{1f469}'.repeat(500)
      const tags = ['\u{1f469}'.repeat(100), 'x']
      const created = await store.sessions.create({ name, tags })
      assert.equal(created.name, name)
      assert.deepEqual(created.tags, ['x', '\u{1f469}'.repeat(100)])
      const wrong: NewSession[] = [
        { name: `${name}x` },
        { name: '' },
        { name: 'a\u0000b' },
        { name: 'half \ud83d' },
        { tags: ['x'.repeat(101)] },
        { tags: [''] },
        { tags: ['a\nb'] },
      ]
      for (const input of wrong) {
        await rejects('invalid', 'sessions.create', () => store.sessions.create(input))
      }
    },
  },
  {
    id: 'SES-10',
    group,
    title: 'tags come back sorted by code unit and without repeats',
    async run({ store }) {
      const { tags } = await store.sessions.create({ tags: ['b', '\u{1f469}', 'B', '\uffee', 'b', 'a', 'é'] })
      assert.deepEqual(tags, ['B', 'a', 'b', 'é', '\u{1f469}', '\uffee'])
    },
  },
  {
    id: 'SES-11',
    group,
    title: 'a field that breaks its rule is invalid and creates nothing',
    async run({ store }) {
      const wrong: object[] = [
        { type: 'unknown' },
        { colour: 'red' },
        { version: 5 },
        { metadata: [] },
        { metadata: null },
        { modelConfig: 'm' },
        { createdAt: 1.5 },
        { createdAt: Number.NaN },
        { createdAt: new Date(0) },
        { ownerId: 'a\u0000' },
        { workingDir: '/a\nb' },
        { channelType: 'half \ud83d' },
        { channelKey: '\u0007' },
        { providerName: '' },
        { mode: 'x'.repeat(257) },
        { parentSessionId: '..' },
        { tags: 'a' },
      ]
      for (const fields of wrong) {
        await rejects('invalid', 'sessions.create', () => store.sessions.create({ id: 'no', ...fields }))
      }
      assert.equal(await store.sessions.get('no'), undefined)
      assert.equal((await store.sessions.create()).id, '20260301_1')
    },
  },
  {
    id: 'SES-12',
    group,
    title: 'a session may name a parent that is not in the store',
    async run({ store }) {
      await store.sessions.create({ id: 'child', type: 'sub_agent', parentSessionId: 'elsewhere' })
      assert.equal((await store.sessions.get('child'))?.parentSessionId, 'elsewhere')
    },
  },
]
