// Odd arguments: whatever a caller without types hands over is refused with `invalid`, by the method and the argument's
// name, and leaves no trace. No method throws, and none rejects with an error that is not the store's.

import assert from 'node:assert/strict'
import type { ImportedMessage, SessionStore } from '@sess/core'
import { rejects } from '../assertions.ts'
import { readAll, turns, user } from '../data.ts'
import { type CallShape, callShapes, nameOf, placesOf, put } from '../fixtures/arguments.ts'
import { oddArguments, oddFields, oddValues } from '../fixtures/odd-values.ts'
import { nested } from '../fixtures/values.ts'
import { type PortMethod, portMethods } from '../methods.ts'
import type { Spec } from '../spec.ts'

const group = 'errors'

/** A session `s` with messages, a thread `t`, and what of the store a write would change. */
async function prepare(store: SessionStore) {
  const { missing } = store.capabilities
  await store.messages.append('s', [user('q', { id: 'm' }), ...turns(1)], { createSession: true })
  if (!missing.includes('threads.create')) await store.threads.create({ id: 't', name: 'n' })
  const look = async () => ({
    session: await store.sessions.get('s'),
    messages: await readAll(store, 's'),
    made: await store.sessions.get('new'),
    thread: missing.includes('threads.get') ? undefined : await store.threads.get('t'),
    token: missing.includes('changes.since') ? undefined : (await store.changes.since('now')).token,
  })
  const before = await look()
  return async (what: string) => assert.deepEqual(await look(), before, `${what} left a trace`)
}

/** The methods a store has of some parts, with the shape of their calls. */
function callable({ capabilities }: SessionStore, parts: readonly string[]): [PortMethod, CallShape][] {
  return portMethods
    .filter((method) => parts.some((part) => method.startsWith(`${part}.`)))
    .filter((method) => !capabilities.missing.includes(method))
    .flatMap((method): [PortMethod, CallShape][] => {
      const shape = callShapes[method]
      return shape === undefined ? [] : [[method, shape]]
    })
}

function call(store: SessionStore, method: PortMethod, input: readonly unknown[]): Promise<unknown> {
  const [part, name] = method.split('.') as ['sessions', 'create']
  const answer = (store[part][name] as (...input: unknown[]) => Promise<unknown>)(...input)
  assert.ok(answer instanceof Promise, `${method} answers no promise`)
  return answer
}

/** Asserts that a call is invalid and that its message begins with the argument's name. */
async function refuses(store: SessionStore, method: PortMethod, input: unknown[], name: string, odd: string) {
  const error = await rejects('invalid', method, () => call(store, method, input)).catch((cause: unknown) => {
    throw new Error(`${odd} as ${name}: ${String(cause)}`, { cause })
  })
  assert.ok(error.message.startsWith(name), `${odd} as ${name} of ${method}: ${error.message}`)
}

/** Puts every odd value into every place of every call of some parts. */
async function everywhere(store: SessionStore, parts: readonly string[]): Promise<void> {
  const assertUntouched = await prepare(store)
  for (const [method, shape] of callable(store, parts)) {
    for (const wellFormed of shape.calls) {
      for (const place of placesOf(wellFormed())) {
        for (const { name, make } of oddValues) {
          // What cannot be looked at at all is named by the argument it stands in.
          const named = name.includes('proxy') ? (shape.names[place[0]] as string) : nameOf(shape, place)
          await refuses(store, method, put(wellFormed(), place, make()), named, name)
        }
      }
    }
    await assertUntouched(method)
  }
}

/** Sources of an import's messages that fail, each in its way, and what stands in the message. */
const badSources: readonly [string, () => unknown][] = [
  ['messages[0]', () => ({ [Symbol.iterator]: 5 })],
  ['messages[0]', () => ({ [Symbol.iterator]: () => 5 })],
  ['messages[0]', () => ({ [Symbol.asyncIterator]: () => ({}) })],
  ['messages[0]', () => ({ [Symbol.iterator]: () => ({ next: () => 5 }) })],
  ['messages[0]', () => [user('q'), null].reverse()],
  ['messages[1]', () => [user('q'), Promise.resolve(user('q'))]],
  [
    'messages[1]',
    function* () {
      yield user('q')
      throw null
    },
  ],
  [
    'messages[1]',
    async function* () {
      yield user('q')
      throw Object.create(null)
    },
  ],
  [
    'messages[2]',
    async function* () {
      yield* turns(1)
      yield 5
    },
  ],
  [
    'messages[0]',
    function* () {
      yield nested(100_000, (content) => ({ content }))
    },
  ],
]

export const argumentSpecs: readonly Spec[] = [
  {
    id: 'ERR-20',
    group,
    title: 'what no place of an argument of sessions takes is invalid by name and place, and leaves no trace',
    run: ({ store }) => everywhere(store, ['sessions']),
  },
  {
    id: 'ERR-21',
    group,
    title: 'what no place of an argument of messages takes is invalid by name and place, and leaves no trace',
    run: ({ store }) => everywhere(store, ['messages']),
  },
  {
    id: 'ERR-22',
    group,
    title:
      'what no place of an argument of threads, search and the change feed takes is invalid by name and place',
    run: ({ store }) => everywhere(store, ['threads', 'search', 'changes']),
  },
  {
    id: 'ERR-23',
    group,
    title: 'what is no argument of its kind is invalid by name, and leaves no trace',
    async run({ store }) {
      const assertUntouched = await prepare(store)
      const deep = { name: '100,000 levels', make: () => nested(100_000, (limit) => ({ limit })) }
      const absent = { name: 'undefined', make: () => undefined }
      for (const [method, shape] of callable(store, [
        'sessions',
        'messages',
        'threads',
        'search',
        'changes',
      ])) {
        const wellFormed = shape.calls[0] as () => unknown[]
        for (const [position, name] of shape.names.entries()) {
          const odd = position < shape.required ? [...oddArguments, absent] : oddArguments
          for (const one of shape.open === position ? odd : [...odd, ...oddFields, deep]) {
            await refuses(store, method, put(wellFormed(), [position], one.make()), name, one.name)
          }
        }
        await assertUntouched(method)
      }
    },
  },
  {
    id: 'ERR-24',
    group,
    title:
      'a source of messages that is none, throws or gives junk is invalid by the message, and leaves nothing',
    needs: ['sessions.import'],
    async run({ store }) {
      for (const [named, make] of badSources) {
        const source = make() as Iterable<ImportedMessage>
        const error = await rejects('invalid', 'sessions.import', () =>
          store.sessions.import({ id: 's' }, source),
        )
        assert.ok(error.message.startsWith(named), `${named}: ${error.message}`)
      }
      assert.equal(await store.sessions.get('s'), undefined)
    },
  },
  {
    id: 'ERR-25',
    group,
    title: 'a work that is no function is invalid, and one that answers no promise is taken for its value',
    needs: ['transact'],
    async run({ store }) {
      for (const work of [undefined, null, 5, '', {}, Symbol('x'), Promise.resolve()]) {
        const error = await rejects('invalid', 'transact', () => store.transact(work as never))
        assert.ok(error.message.startsWith('work'), error.message)
      }
      assert.equal(await store.transact((() => 5) as never), 5)
      for (const thrown of [undefined, null, 'text', Symbol('x')]) {
        const caught = await store
          .transact(() => {
            throw thrown
          })
          .then(
            () => 'nothing',
            (cause: unknown) => ({ cause }),
          )
        assert.deepEqual(caught, { cause: thrown })
      }
    },
  },
]
