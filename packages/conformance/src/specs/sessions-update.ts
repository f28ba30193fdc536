// Patches: what they name changes, the rest stays; names and flags are no change of the conversation.

import assert from 'node:assert/strict'
import type { NewSession, Session, SessionPatch } from '@sess/core'
import { rejects } from '../assertions.ts'
import { startTime } from '../clock.ts'
import { user } from '../data.ts'
import type { Spec } from '../spec.ts'

const group = 'sessions'
const needs = ['sessions.update'] as const

const full: NewSession = {
  id: 's',
  name: 'before',
  workingDir: '/before',
  providerName: 'before',
  modelConfig: { model: 'before', keep: true },
  mode: 'before',
  extensionData: { before: 1 },
  metadata: { before: 1 },
  tags: ['before'],
}

/** The session as a patch should leave it, but for its changeSeq. */
function patched(before: Session, now: number, fields: Partial<Session>, changed: Session): Session {
  return { ...before, ...fields, updatedAt: now, changeSeq: changed.changeSeq }
}

export const sessionUpdateSpecs: readonly Spec[] = [
  {
    id: 'SES-40',
    group,
    title: 'a patch changes what it names and nothing else, and answers the session as it is then',
    needs,
    async run({ store, clock }) {
      let before = await store.sessions.create(full)
      const patches: [SessionPatch, Partial<Session>][] = [
        [{ name: 'after' }, { name: 'after', nameSource: 'user' }],
        [{ type: 'terminal' }, { type: 'terminal' }],
        [{ workingDir: '/after' }, { workingDir: '/after' }],
        [{ providerName: 'after' }, { providerName: 'after' }],
        [{ mode: 'after' }, { mode: 'after' }],
        [{ modelConfig: { model: 'after' } }, { modelConfig: { model: 'after' } }],
        [{ extensionData: { after: [1] } }, { extensionData: { after: [1] } }],
        [{ metadata: { after: null } }, { metadata: { after: null } }],
        [{ tags: ['z', 'after', 'z'] }, { tags: ['after', 'z'] }],
        [{ tags: [] }, { tags: [] }],
        [{ pinned: true }, { pinned: true }],
        [
          { pinned: false, mode: 'again' },
          { pinned: false, mode: 'again' },
        ],
      ]
      for (const [patch, fields] of patches) {
        const now = clock.advance(10)
        const after = await store.sessions.update('s', patch)
        assert.deepEqual(after, patched(before, now, fields, after))
        assert.ok(after.changeSeq > before.changeSeq)
        assert.deepEqual(await store.sessions.get('s'), after)
        before = after
      }
    },
  },
  {
    id: 'SES-41',
    group,
    title: 'null clears, so that the field is not there any more',
    needs,
    async run({ store, clock }) {
      const { workingDir, providerName, modelConfig, mode, ...rest } = await store.sessions.create(full)
      const now = clock.advance(10)
      const patch = { workingDir: null, providerName: null, modelConfig: null, mode: null }
      const after = await store.sessions.update('s', patch)
      assert.deepEqual(after, patched(rest, now, {}, after))
      assert.deepEqual(await store.sessions.get('s'), after)
    },
  },
  {
    id: 'SES-42',
    group,
    title: "a name is the user's unless the patch says whose it is",
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const source = async (patch: SessionPatch) => {
        const { name, nameSource } = await store.sessions.update('s', patch)
        return [name, nameSource]
      }
      assert.deepEqual(await source({ name: 'a', nameSource: 'auto' }), ['a', 'auto'])
      assert.deepEqual(await source({ name: 'b' }), ['b', 'user'])
      assert.deepEqual(await source({ nameSource: 'default' }), ['b', 'default'])
      assert.deepEqual(await source({ mode: 'm' }), ['b', 'default'])
    },
  },
  {
    id: 'SES-43',
    group,
    title: 'names, flags, tags and metadata touch neither version nor last activity',
    needs,
    async run({ store, clock }) {
      const { version } = await store.messages.append('s', [user('q')], { createSession: true })
      clock.advance(1000)
      const patch = { name: 'n', pinned: true, archived: true, tags: ['t'], metadata: { a: 1 } }
      const after = await store.sessions.update('s', patch)
      assert.equal(after.version, version)
      assert.equal(after.lastActiveAt, startTime)
      const { version: next } = await store.messages.append('s', [user('q2')], { expectedVersion: version })
      assert.equal(next, version + 1)
    },
  },
  {
    id: 'SES-44',
    group,
    title: 'ifNameSource that does not hold is a conflict and changes nothing',
    needs,
    async run({ store }) {
      const before = await store.sessions.create({ id: 's', name: 'mine' })
      const patch: SessionPatch = { name: 'auto', nameSource: 'auto', ifNameSource: ['default', 'auto'] }
      await rejects('conflict', 'sessions.update', () =>
        store.sessions.update('s', { ...patch, pinned: true }),
      )
      await rejects('conflict', 'sessions.update', () =>
        store.sessions.update('s', { ...patch, ifNameSource: [] }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
      const after = await store.sessions.update('s', { ...patch, ifNameSource: ['user'] })
      assert.deepEqual([after.name, after.nameSource], ['auto', 'auto'])
    },
  },
  {
    id: 'SES-45',
    group,
    title: 'ifChangeSeq that does not hold is a conflict and changes nothing',
    needs,
    async run({ store }) {
      const first = await store.sessions.create({ id: 's' })
      const second = await store.sessions.update('s', { mode: 'm', ifChangeSeq: first.changeSeq })
      const stale = { mode: 'stale', ifChangeSeq: first.changeSeq }
      await rejects('conflict', 'sessions.update', () => store.sessions.update('s', stale))
      assert.deepEqual(await store.sessions.get('s'), second)
      await store.messages.append('s', [user('q')])
      const overtaken = { mode: 'stale', ifChangeSeq: second.changeSeq }
      await rejects('conflict', 'sessions.update', () => store.sessions.update('s', overtaken))
    },
  },
  {
    id: 'SES-46',
    group,
    title: 'of several updates at once on the same changeSeq exactly one succeeds',
    needs,
    async run({ store }) {
      const { changeSeq } = await store.sessions.create({ id: 's' })
      const tries = ['a', 'b', 'c', 'd'].map((mode) =>
        store.sessions.update('s', { mode, ifChangeSeq: changeSeq }),
      )
      const results = await Promise.allSettled(tries)
      const won = results.filter((result) => result.status === 'fulfilled')
      assert.equal(won.length, 1)
      assert.deepEqual(await store.sessions.get('s'), won[0]?.value)
    },
  },
  {
    id: 'SES-47',
    group,
    title: 'archiving sets the time once, and taking it back clears it',
    needs,
    async run({ store, clock }) {
      await store.sessions.create({ id: 's' })
      const archivedAt = clock.advance(10)
      assert.equal((await store.sessions.update('s', { archived: true })).archivedAt, archivedAt)
      clock.advance(10)
      assert.equal((await store.sessions.update('s', { archived: true })).archivedAt, archivedAt)
      assert.equal((await store.sessions.update('s', { name: 'n' })).archivedAt, archivedAt)
      assert.equal('archivedAt' in (await store.sessions.update('s', { archived: false })), false)
      const again = clock.advance(10)
      assert.equal((await store.sessions.update('s', { archived: true })).archivedAt, again)
    },
  },
  {
    id: 'SES-48',
    group,
    title: 'an archived session can be written to and stays archived',
    needs,
    async run({ store }) {
      await store.sessions.create({ id: 's' })
      const { archivedAt } = await store.sessions.update('s', { archived: true })
      await store.messages.append('s', [user('q')])
      const session = await store.sessions.get('s')
      assert.deepEqual([session?.archivedAt, session?.messageCount], [archivedAt, 1])
    },
  },
  {
    id: 'SES-49',
    group,
    title: 'an update of an unknown session is not-found and makes none',
    needs,
    async run({ store }) {
      await rejects('not-found', 'sessions.update', () => store.sessions.update('s', { name: 'n' }))
      await rejects('not-found', 'sessions.update', () => store.sessions.update('s', {}))
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'SES-50',
    group,
    title: 'a patch that breaks a rule is invalid and changes nothing',
    needs,
    async run({ store, clock }) {
      const before = await store.sessions.create(full)
      clock.advance(10)
      const wrong: object[] = [
        { name: '' },
        { name: 'x'.repeat(501) },
        { name: null },
        { nameSource: 'robot' },
        { type: 'unknown' },
        { workingDir: '' },
        { modelConfig: [] },
        { metadata: null },
        { extensionData: 'x' },
        { tags: ['x'.repeat(101)] },
        { pinned: 1 },
        { archived: null },
        { id: 'other' },
        { ownerId: 'other' },
        { createdAt: 1 },
        { version: 7 },
      ]
      for (const patch of wrong) {
        await rejects('invalid', 'sessions.update', () =>
          store.sessions.update('s', { mode: 'after', ...patch }),
        )
      }
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'SES-51',
    group,
    title: 'a patch that names nothing changes nothing',
    needs,
    async run({ store, clock }) {
      const before = await store.sessions.create(full)
      clock.advance(10)
      assert.deepEqual(await store.sessions.update('s', {}), before)
      assert.deepEqual(await store.sessions.update('s', { name: undefined } as SessionPatch), before)
      assert.deepEqual(await store.sessions.get('s'), before)
    },
  },
  {
    id: 'SES-52',
    group,
    title: 'changeSeq grows over the whole store with every change of anything',
    needs,
    async run({ store }) {
      const steps = [
        async () => (await store.sessions.create({ id: 'a' })).changeSeq,
        async () => (await store.sessions.create({ id: 'b' })).changeSeq,
        async () => (await store.sessions.update('a', { pinned: true })).changeSeq,
        async () => {
          await store.messages.append('b', [user('q')])
          return (await store.sessions.get('b'))?.changeSeq
        },
        async () => (await store.sessions.update('a', { tags: ['t'] })).changeSeq,
        async () => (await store.sessions.update('b', { name: 'n' })).changeSeq,
        async () => {
          await store.messages.append('c', [user('q')], { createSession: true })
          return (await store.sessions.get('c'))?.changeSeq
        },
        async () => (await store.sessions.update('a', { tags: [] })).changeSeq,
      ]
      let highest = 0
      for (const step of steps) {
        const changeSeq = (await step()) ?? 0
        assert.ok(changeSeq > highest, `changeSeq ${changeSeq} after ${highest}`)
        highest = changeSeq
      }
    },
  },
]
