import { limits, type SessionStore } from '@sess/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useProgram } from './program.ts'

const sess = useProgram()

const ids = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id)

beforeEach(async () => {
  const { sessions, messages } = sess.store
  await sessions.create({ id: 'job-1', name: 'Login test', tags: ['old'] })
  await sessions.create({ id: 'job-2', name: 'Trip' })
  await messages.append('job-2', [{ role: 'user', content: 'hi' }])
  await sessions.create({ id: 'other', name: 'Other' })
  await sessions.create({ id: 'sub', type: 'sub_agent', parentSessionId: 'job-2' })
})

describe('sess rename', () => {
  it("gives a name that is the user's", async () => {
    expect(await sess.out(['rename', '@last', '杭州 \u202e'])).toBe('renamed other: 杭州 \\u202e\n')
    expect(await sess.json(['rename', 'oth', 'Again'])).toMatchObject({
      id: 'other',
      name: 'Again',
      nameSource: 'user',
    })
    expect(await sess.run(['rename', 'other', ''])).toStrictEqual({
      code: 5,
      stdout: '',
      stderr: 'sess: patch.name: must not be empty\n',
    })
    expect(await sess.run(['rename', 'other'])).toMatchObject({
      code: 2,
      stderr: "sess: missing required argument 'name'\n",
    })
  })
})

describe('sess archive, pin, tag', () => {
  it('marks several sessions and takes the marks away', async () => {
    const { sessions } = sess.store
    expect(await sess.out(['archive', 'job-2', 'job-1', 'job-2'])).toBe(
      'archived job-2: Trip\narchived job-1: Login test\n',
    )
    expect(await sess.json(['pin', 'job-1', '@last'])).toMatchObject({
      items: [
        { id: 'job-1', pinned: true },
        { id: 'other', pinned: true },
      ],
    })
    expect(await sess.out(['tag', 'bug', 'job-1', 'job-2', '-q'])).toBe('')
    expect(ids(await sessions.list())).toStrictEqual(['other'])
    expect(await sessions.get('job-1')).toMatchObject({
      tags: ['bug', 'old'],
      archivedAt: expect.any(Number),
    })
    expect(await sess.out(['unarchive', 'job-1', 'job-2'])).toContain('unarchived job-2: Trip\n')
    expect(await sess.out(['unpin', 'job-1'])).toBe('unpinned job-1: Login test\n')
    expect(await sess.out(['untag', 'old', 'job-1', 'job-2'])).toContain('untagged job-2: Trip\n')
    expect(ids(await sessions.list())).toHaveLength(3)
    expect(await sessions.get('job-1')).toMatchObject({ tags: ['bug'], pinned: false })
    expect((await sessions.get('job-2'))?.tags).toStrictEqual(['bug'])
  })

  it('changes nothing when a name fits nobody, and says what is done when one fails', async () => {
    const { sessions } = sess.store
    expect(await sess.run(['archive', 'job-1', 'nobody', '--db', 'a.db'])).toStrictEqual({
      code: 3,
      stdout: '',
      stderr: 'sess: there is no session "nobody" in a.db ("sess list" shows what is there)\n',
    })
    expect((await sessions.get('job-1'))?.archivedAt).toBeUndefined()
    const tags = Array.from({ length: limits.tags }, (_, index) => `t${index}`)
    await sessions.update('other', { tags })
    const { code, stdout, stderr } = await sess.run(['tag', 'bug', 'job-1', 'job-2', 'other', '--json'])
    expect({ code, stdout }).toStrictEqual({ code: 5, stdout: '' })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^patch\.tags: .* \(2 of 3 tagged before: job-1, job-2\)$/),
      operation: 'sessions.update',
    })
    expect((await sessions.get('job-2'))?.tags).toStrictEqual(['bug'])
  })

  it('loses no tag that another process sets meanwhile', async () => {
    const { store } = sess
    let meanwhile = 2
    const update: SessionStore['sessions']['update'] = async (id, patch) => {
      const { tags = [] } = (await store.sessions.get(id)) ?? {}
      if (meanwhile-- > 0) await store.sessions.update(id, { tags: [...tags, `other-${meanwhile}`] })
      return store.sessions.update(id, patch)
    }
    sess.store = { ...store, sessions: { ...store.sessions, update } }
    await sess.out(['tag', 'mine', 'job-1'])
    expect((await store.sessions.get('job-1'))?.tags).toStrictEqual(['mine', 'old', 'other-0', 'other-1'])
    meanwhile = 9
    expect((await sess.run(['tag', 'late', 'job-1'])).code).toBe(4)
  })
})

describe('sess delete', () => {
  it('moves sessions to the trash, where only some commands find them', async () => {
    expect(await sess.out(['delete', 'job-2', 'other'])).toBe('trashed job-2: Trip\ntrashed other: Other\n')
    expect(ids(await sess.store.sessions.list({ types: 'all', deleted: true }))).toHaveLength(3)
    for (const args of [
      ['show', 'job-2'],
      ['context', 'job-2', '-q'],
      ['export', 'oth'],
      ['list', '--parent', 'job-2', '--trash'],
    ]) {
      expect(await sess.out(args)).not.toBe('')
    }
    await sess.store.threads.create({ id: 't', name: 'T' })
    for (const args of [
      ['delete', 'job-1', 'other'],
      ['append', 'other', 'hi'],
      ['rename', 'oth', 'Name'],
      ['pin', 'other'],
      ['tag', 'x', 'other'],
      ['fork', 'other'],
      ['rewind', 'other', '--to-seq', '0'],
      ['compact', 'other', '--through', '1', '--summary', 'x'],
      ['reset', 'other'],
      ['clear', 'other', '--yes'],
      ['thread', 'attach', 't', 'other'],
      ['new', '--parent', 'other'],
    ]) {
      expect(await sess.run(args)).toStrictEqual({
        code: 3,
        stdout: '',
        stderr: 'sess: session "other" is in the trash: "sess undelete other" brings it back\n',
      })
    }
    // Not job-1, which is not there.
    expect(await sess.out(['undelete', 'job'])).toBe('brought back job-2: Trip\n')
    expect(await sess.out(['undelete', 'job-2'])).toBe('nothing to bring back: job-2 is not in the trash\n')
    expect(await sess.json(['undelete', 'other'])).toMatchObject({ id: 'other', name: 'Other' })
    expect(ids(await sess.store.sessions.list({ types: 'all' }))).toHaveLength(4)
  })

  it('deletes for good with --purge, also from the trash', async () => {
    await sess.store.sessions.remove('other')
    expect(await sess.out(['delete', 'other', 'job-2', 'sub', '--purge', '--yes'])).toBe(
      'purged other: Other\npurged job-2: Trip\npurged sub: New session\n',
    )
    expect(await sess.json(['delete', 'job-1'])).toStrictEqual({
      items: [{ id: 'job-1', outcome: 'trashed' }],
    })
    expect(await sess.json(['delete', 'job-1', '--purge', '--yes'])).toStrictEqual({
      items: [{ id: 'job-1', outcome: 'purged' }],
    })
    expect(ids(await sess.store.sessions.list({ types: 'all', deleted: 'any' }))).toStrictEqual([])
  })
})
