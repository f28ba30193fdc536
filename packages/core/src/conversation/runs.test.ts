// Random runs of two hosts over one session: questions, steps, crashes, refusals, compactions in any order. Nothing that
// was handed over is lost, and whatever is answered can be sent.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isStoreError } from '../errors.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { ContentBlock } from '../types/content.ts'
import type { NewMessage, RestoredMessage } from '../types/message.ts'
import { compactConversation } from './compact.ts'
import { type Conversation, openConversation, type ReadyContext } from './open.ts'
import { type Command, command } from './testing/commands.ts'
import { breachesOf } from './testing/requests.ts'

const refusals = {
  overflow: new Error('prompt is too long: 201016 tokens > 200000 maximum'),
  invalid: new Error(
    'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: t',
  ),
  image: new Error('messages.1: image dimensions exceed max allowed size: 8000 pixels'),
} as const
const text = (value: string): ContentBlock => ({ type: 'text', text: value })

/** What of the current turn one host holds, as the test itself keeps book of it. */
interface Host {
  conversation: Conversation
  /** Words of the user and of results in the run that goes on; `undefined` where none was begun here. */
  words: string[] | undefined
  open: string[]
  /** Words that a process left unanswered when it died: the next context has them. */
  owed: string[] | undefined
  /** Whether a transcript, or a later question, stands for its open calls. */
  isTold: boolean
  /** Whether a summary may stand for the beginning of its turn. */
  isCovered: boolean
  /** Whether its turn may have been left out of the context by somebody else. */
  isCutOff: boolean
  /** Whether its last step was a reply: then nobody waits for an answer. */
  isAnswered: boolean
  isNarrowed: boolean
}

async function play(
  mode: 'text' | 'full',
  script: readonly (readonly [0 | 1, Command])[],
  seen: Set<string>,
) {
  const store = createMemoryStore()
  const options = { id: 's', restore: { mode, turns: 1000 }, provider: 'p', model: 'm' }
  const openHost = async (): Promise<Host> => ({
    conversation: await openConversation(store, options),
    words: undefined,
    open: [],
    owed: undefined,
    isTold: false,
    isCovered: false,
    isCutOff: false,
    isAnswered: false,
    isNarrowed: false,
  })
  const hosts = [await openHost(), await openHost()]
  let handed: NewMessage[] = []
  let number = 0
  /** Whether words were left out of the context while both hosts had a turn under way. */
  let isCrossed = false
  const isCut = () => {
    for (const host of hosts) {
      Object.assign(host, { owed: undefined, isCutOff: true, isTold: true })
      // With what stood for its beginning, that is gone.
      if (host.isCovered) host.words &&= []
    }
    if (hosts.every(({ words }) => words !== undefined)) isCrossed = true
  }
  const isAlone = script.every(([which]) => which === 0)
  const word = () => `w${++number}.`
  const outcome = () => `r${++number}.`

  /** The user's words in the order in which they are given, each once. */
  const wordsIn = (messages: readonly RestoredMessage[]) => [
    ...new Set(JSON.stringify(messages.filter(({ role }) => role === 'user')).match(/w\d+\./g) ?? []),
  ]

  const checkReady = ({ messages }: ReadyContext, host: Host) => {
    expect(breachesOf(messages), JSON.stringify(messages)).toEqual([])
    expect(messages.at(-1)?.role).toBe('user')
    const said = JSON.stringify(messages)
    for (const each of [...(host.words ?? []), ...(host.owed ?? [])]) expect(said).toContain(each)
    // Of a turn that another host wrote down meanwhile, a summary tells, too.
    if (isAlone) for (const each of host.words ?? []) expect(said.split(each)).toHaveLength(2)
  }

  for (const [which, step] of script) {
    const host = hosts[which] as Host
    const { conversation } = host
    switch (step.does) {
      case 'ask': {
        const asked = word()
        const question: NewMessage = { role: 'user', content: [text(asked), ...step.more] }
        const ready = await conversation.begin(question)
        handed.push(question)
        Object.assign(host, {
          words: [asked],
          open: [],
          isAnswered: false,
          isTold: false,
          isCovered: false,
          isCutOff: false,
        })
        checkReady(ready, host)
        host.owed = undefined
        const words = wordsIn(ready.messages)
        if (!isCrossed)
          expect(words).toEqual(
            words.toSorted((a, b) => Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10)),
          )
        expect(words.at(-1)).toBe(asked)
        const { startSeq } = (await store.sessions.get('s'))?.context ?? { startSeq: 1 }
        const { items } = await store.messages.read('s', { fromSeq: startSeq, limit: 1000 })
        if (host.isNarrowed) break
        const said = JSON.stringify(ready.messages)
        for (const { role, content, metadata } of items) {
          if (role !== 'user' || metadata.summary !== undefined) continue
          for (const block of content) {
            // What is said behind no question of the context has no turn.
            if (
              block.type === 'text' &&
              /^w/.test(block.text) &&
              content.every(({ type }) => type !== 'tool_result')
            )
              expect(said).toContain(block.text)
          }
        }
        break
      }
      case 'call': {
        const message: NewMessage = {
          role: 'assistant',
          content: [
            ...step.more,
            ...step.ids.map((each): ContentBlock => ({ type: 'tool_use', id: each, name: 'ls', input: {} })),
          ],
        }
        if (host.open.length > 0 || host.words === undefined) break
        if ((await conversation.persist([message])) === undefined) break
        handed.push({
          ...message,
          content: (message.content as ContentBlock[]).filter(({ type }) => type !== 'thinking'),
        })
        Object.assign(host, { open: [...step.ids], isAnswered: false, isTold: false })
        break
      }
      case 'answer': {
        const words = host.open.map(outcome)
        const steering = step.steers ? [word()] : []
        const content = [
          ...host.open.map(
            (each, index): ContentBlock => ({
              type: 'tool_result',
              tool_use_id: each,
              content: words[index] ?? '',
            }),
          ),
          ...steering.map(text),
        ]
        if (host.open.length === 0) break
        const message: NewMessage = { role: 'user', content }
        if (step.through === 'persist') {
          await conversation.persist([message])
          // Where none was begun here, another host's may be the last turn by the time of a recovery.
          if (host.words !== undefined) host.words = [...host.words, ...words, ...steering]
        } else {
          const ready = await conversation.begin(message).catch((error: unknown) => {
            // Another host went on meanwhile.
            expect(isStoreError(error) && error.code).toBe('invalid')
          })
          if (ready === undefined) break
          seen.add('continued')
          host.words = [...words, ...steering]
          checkReady(ready, host)
          host.owed = undefined
        }
        handed.push(message)
        Object.assign(host, { open: [], isAnswered: false })
        break
      }
      case 'stray':
        if (host.words === undefined || (await conversation.persist([step.message])) === undefined) break
        handed.push(step.message)
        // Of these one asks something, and what it begins is the turn from then on.
        Object.assign(host, { isTold: true, isCutOff: true })
        break
      case 'reply':
        // Also where nothing was begun here, and as the first of all: it makes the session.
        if (host.open.length > 0) break
        expect(await conversation.persist([{ role: 'assistant', content: 'done' }])).toBeDefined()
        if (host.words === undefined) seen.add('persisted without a question')
        handed.push({ role: 'assistant', content: 'done' })
        Object.assign(host, { isAnswered: true, owed: undefined })
        break
      case 'finish':
        await conversation.finish()
        Object.assign(host, { words: undefined, open: [], isTold: true })
        break
      case 'crash':
        hosts[which] = {
          ...(await openHost()),
          open: host.open,
          // Whatever was asked meanwhile is another turn than the one that is gone on with.
          owed:
            isAlone && !host.isAnswered && !host.isCutOff
              ? host.words?.filter((each) => each.startsWith('w'))
              : undefined,
          isTold: host.isTold,
          isCovered: host.isCovered,
        }
        break
      case 'resume': {
        const resumed = await conversation.resume()
        if (host.owed !== undefined) expect(resumed).toBeDefined()
        if (resumed === undefined) break
        seen.add('resumed')
        if (!host.isAnswered) checkReady(resumed, host)
        expect(breachesOf(resumed.messages)).toEqual([])
        const pending = resumed.pending.map(({ id }) => id)
        if (isAlone && !host.isTold && !host.isAnswered) expect(pending).toEqual(host.open)
        if (pending.length > 0) seen.add('resumed with calls')
        Object.assign(host, { words: host.words ?? host.owed ?? [], owed: undefined, open: pending })
        break
      }
      case 'clear':
        if ((await store.sessions.get('s')) === undefined) break
        await store.messages.clear('s')
        isCut()
        handed = []
        break
      case 'reset':
        if ((await store.sessions.get('s')) !== undefined) await store.sessions.resetContext('s')
        isCut()
        break
      case 'compact':
        if ((await store.sessions.get('s')) === undefined) break
        isCut()
        await compactConversation(store, 's', { summarize: async () => 'S', keepTurns: step.keepTurns, mode })
        break
      case 'recover': {
        const {
          done,
          messages = [],
          report,
        } = await conversation.recover(
          refusals[step.from],
          step.summarizes ? { summarize: async () => 'S' } : {},
        )
        seen.add(`${step.from} ${done}`)
        if (done === 'none' || report === undefined) break
        if (done === 'repair') host.isTold = true
        if (done === 'repair' || done === 'reset-context') host.isCovered = true
        if (done === 'reset-context' && !isAlone) isCut()
        if (done === 'narrow') host.isNarrowed = true
        if (host.words !== undefined && !host.isAnswered) checkReady({ messages, report }, host)
        break
      }
    }
    const stored = (await store.messages.read('s', { limit: 1000 })).items
    const kept = stored.filter(({ metadata }) => metadata.summary === undefined)
    expect(kept.map(({ role, content }) => ({ role, content }))).toEqual(
      handed.map(({ role, content }) => ({
        role,
        content: typeof content === 'string' ? [text(content)] : content,
      })),
    )
  }
}

test.each(['text', 'full'] as const)('whatever one host or two do, in %s mode', async (mode) => {
  const scriptOf = (...hosts: readonly (0 | 1)[]) =>
    fc.array(fc.tuple(fc.constantFrom(...hosts), command), { minLength: 1, maxLength: 40, size: 'max' })
  const script = fc.oneof(scriptOf(0), scriptOf(0, 0, 1))
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(script, (steps) => play(mode, steps, seen)),
    { numRuns: 200, seed: 11 },
  )
  expect([...seen].toSorted()).toEqual([
    'continued',
    'image none',
    'image repair',
    'image reset-context',
    'invalid none',
    'invalid repair',
    'invalid reset-context',
    'overflow compact',
    'overflow narrow',
    'overflow none',
    'overflow reset-context',
    'persisted without a question',
    'resumed',
    'resumed with calls',
  ])
})
