import { expect, test } from 'vitest'
import { createMemoryStore } from '../memory/store.ts'
import type { SessionStore } from '../port/store.ts'
import { scopeStore } from '../scope/store.ts'
import { type ImportConversationsOptions, importConversations } from './import.ts'
import type { ImportedConversation, SessionLinks } from './types.ts'

const conversation = (
  sessionId: string,
  links?: SessionLinks,
  fields: object = {},
): ImportedConversation => ({
  session: { source: { agent: 'sess', sessionId, digest: '' }, name: `was ${sessionId}`, ...fields },
  ...(links === undefined ? {} : { links }),
  messages: [{ role: 'user', content: sessionId }],
  format: 'sess-json',
})

async function run(
  store: SessionStore,
  conversations: readonly ImportedConversation[],
  options?: ImportConversationsOptions,
) {
  const outcomes: [string, string, string?][] = []
  for await (const one of importConversations(store, conversations, options)) {
    const was = one.conversation.session.source?.sessionId ?? '-'
    if ('error' in one) outcomes.push([was, (one.error as { code: string }).code])
    else outcomes.push([was, one.receipt.outcome, one.receipt.session.id])
  }
  return outcomes
}

const open = () => createMemoryStore({ clock: () => Date.UTC(2026, 2, 1) })
const family = [
  conversation('20260301_3', { branchOf: '20260301_1' }, { type: 'hidden' }),
  conversation('20260301_2', { parentSessionId: '20260301_1' }, { type: 'sub_agent' }),
  conversation('20260301_1'),
]

test('a family keeps together, and a session that had one of its ids before has nothing to do with it', async () => {
  const store = open()
  expect((await store.sessions.create()).id).toBe('20260301_1')
  expect(await run(store, family)).toEqual([
    ['20260301_1', 'created', '20260301_2'],
    ['20260301_3', 'created', '20260301_3'],
    ['20260301_2', 'created', '20260301_4'],
  ])
  expect((await store.sessions.get('20260301_3'))?.branchOf).toBe('20260301_2')
  expect((await store.sessions.get('20260301_4'))?.parentSessionId).toBe('20260301_2')

  await store.sessions.remove('20260301_1', { purge: true })
  expect((await store.sessions.list({ types: 'all' })).items.length).toBe(3)
  await store.sessions.remove('20260301_2', { purge: true })
  expect((await store.sessions.list({ types: 'all' })).items.length).toBe(0)
})

test('what comes later finds what came before, of the same owner, and a copy the copy', async () => {
  const store = open()
  const [branch, child, top] = family as [ImportedConversation, ImportedConversation, ImportedConversation]
  await run(store, [top])
  expect(await run(store, [child])).toEqual([['20260301_2', 'created', '20260301_2']])
  expect((await store.sessions.get('20260301_2'))?.parentSessionId).toBe('20260301_1')

  expect(await run(store, [top, branch], { onExisting: 'copy' })).toEqual([
    ['20260301_1', 'copied', '20260301_3'],
    ['20260301_3', 'created', '20260301_4'],
  ])
  expect((await store.sessions.get('20260301_4'))?.branchOf).toBe('20260301_3')

  const ana = scopeStore(store, { ownerId: 'ana' })
  const ofBo = [child, top, branch].map((one) => ({ ...one, session: { ...one.session, ownerId: 'bo' } }))
  expect(await run(ana, ofBo)).toEqual([['20260301_1', 'invalid']])
  expect(await run(ana, ofBo.slice(0, 1), { ownerId: 'ana' })).toEqual([
    ['20260301_2', 'created', '20260301_5'],
  ])
  expect((await ana.sessions.get('20260301_5'))?.parentSessionId).toBeUndefined()
  await run(ana, ofBo.slice(1, 2), { ownerId: 'ana' })
  expect(await run(ana, ofBo.slice(2), { ownerId: 'ana' })).toEqual([['20260301_3', 'created', '20260301_7']])
  expect((await ana.sessions.get('20260301_7'))?.branchOf).toBe('20260301_6')
})

test('the first that is refused is the last, and the same call again goes on there', async () => {
  const store = open()
  const bad = { ...conversation('b'), messages: [{ role: 'nobody', content: 'x' } as never] }
  expect(await run(store, [conversation('a'), bad, conversation('c')])).toEqual([
    ['a', 'created', '20260301_1'],
    ['b', 'invalid'],
  ])
  expect(await run(store, [conversation('a'), conversation('b'), conversation('c')])).toEqual([
    ['a', 'unchanged', '20260301_1'],
    ['b', 'created', '20260301_2'],
    ['c', 'created', '20260301_3'],
  ])
})

test('an option that is undefined is one that is not given, and one that is none is refused', async () => {
  const store = open()
  const one = [conversation('a', {}, { ownerId: 'ana' })]
  expect(await run(store, one, { ownerId: undefined, onExisting: undefined })).toEqual([
    ['a', 'created', '20260301_1'],
  ])
  expect((await store.sessions.get('20260301_1'))?.ownerId).toBe('ana')
  expect(await run(store, one, { onExsiting: 'copy' } as object)).toEqual([['a', 'invalid']])
})
