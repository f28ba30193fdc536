// Errors: one type, a code to switch on, the method's name, and a store that goes on as before.

import assert from 'node:assert/strict'
import { isStoreError, StoreError, type StoreErrorCode } from '@sess/core'
import { rejects } from '../assertions.ts'
import { readAll, turns, user } from '../data.ts'
import { basicMethods, type PortMethod, portMethods, sampleCalls } from '../methods.ts'
import type { Spec } from '../spec.ts'

const group = 'errors'
const create = { createSession: true } as const

export const errorSpecs: readonly Spec[] = [
  {
    id: 'ERR-01',
    group,
    title: 'every rejection names its method and its code',
    needs: ['sessions.list', 'sessions.update', 'sessions.remove', 'messages.get', 'messages.recentTurns'],
    async run({ store }) {
      const { sessions, messages } = store
      await messages.append('s', [user('q', { id: 'm' })], create)
      const calls: [StoreErrorCode, PortMethod, () => Promise<unknown>][] = [
        ['already-exists', 'sessions.create', () => sessions.create({ id: 's' })],
        ['invalid', 'sessions.create', () => sessions.create({ id: '..' })],
        ['invalid', 'sessions.get', () => sessions.get(5 as never)],
        ['invalid', 'sessions.list', () => sessions.list({ limit: 0 })],
        ['invalid-cursor', 'sessions.list', () => sessions.list({ cursor: 'x' })],
        ['not-found', 'sessions.update', () => sessions.update('unknown', { name: 'n' })],
        ['conflict', 'sessions.update', () => sessions.update('s', { ifChangeSeq: -1 })],
        ['invalid', 'sessions.update', () => sessions.update('s', { name: '' })],
        ['invalid', 'sessions.update', () => sessions.update('', { name: 'n' })],
        ['invalid', 'sessions.remove', () => sessions.remove('')],
        ['not-found', 'messages.append', () => messages.append('unknown', [user('q')])],
        ['conflict', 'messages.append', () => messages.append('s', [user('x', { id: 'm' })])],
        ['invalid', 'messages.append', () => messages.append('..', [user('q')], create)],
        ['invalid-cursor', 'messages.read', () => messages.read('s', { cursor: 'x' })],
        ['invalid', 'messages.read', () => messages.read('s', { limit: 0 })],
        ['invalid', 'messages.read', () => messages.read(null as never)],
        ['invalid', 'messages.get', () => messages.get('s', 5 as never)],
        ['invalid', 'messages.recentTurns', () => messages.recentTurns('s', { turns: 0.5 })],
      ]
      for (const [code, operation, call] of calls) await rejects(code, operation, call)
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
  {
    id: 'ERR-02',
    group,
    title:
      'an error is a StoreError by brand and by instance, says what is wrong, and need not be tried again',
    async run({ store }) {
      await store.sessions.create({ id: 'taken' })
      const error: unknown = await store.sessions.create({ id: 'taken' }).catch((caught: unknown) => caught)
      assert.ok(isStoreError(error))
      assert.ok(error instanceof StoreError && error instanceof Error)
      assert.deepEqual([error.name, error.code, error.retryable], ['StoreError', 'already-exists', false])
      assert.match(error.message, /taken/)
    },
  },
  {
    id: 'ERR-03',
    group,
    title: 'methods never throw before they answer a promise',
    async run({ store }) {
      const bad = [undefined, null, 5, {}, [], () => 1]
      for (const method of basicMethods) {
        const [part, name] = method.split('.') as ['sessions', 'create']
        for (const input of bad) {
          const call = store[part][name] as (...input: unknown[]) => Promise<unknown>
          const answer = call.call(store[part], input, input)
          assert.ok(answer instanceof Promise, `${method} answers no promise`)
          await answer.catch((error: unknown) => {
            assert.ok(isStoreError(error), `${method} rejected with ${String(error)}`)
          })
        }
      }
    },
  },
  {
    id: 'ERR-04',
    group,
    title: 'every method is there, and one the store has not rejects with unsupported',
    async run({ store }) {
      for (const method of portMethods) {
        const [part, name] = method.split('.') as ['sessions', 'create']
        assert.equal(typeof (name === undefined ? store[part] : store[part][name]), 'function', method)
        if (store.capabilities.missing.includes(method)) {
          await rejects('unsupported', method, () => sampleCalls[method](store))
        }
      }
    },
  },
  {
    id: 'ERR-05',
    group,
    title: 'capabilities name only methods of the port as missing, and none that every store has',
    async run({ store }) {
      const { missing, maxMessageBytes } = store.capabilities
      assert.deepEqual(
        missing.filter((name) => !portMethods.some((method) => method === name)),
        [],
      )
      assert.deepEqual(
        basicMethods.filter((method) => missing.includes(method)),
        [],
      )
      assert.equal(new Set(missing).size, missing.length)
      assert.ok(Number.isSafeInteger(maxMessageBytes) && maxMessageBytes >= 1_048_576)
      assert.notEqual(store.backend, '')
    },
  },
  {
    id: 'ERR-06',
    group,
    title: 'what was refused leaves no trace: the next write is as if it had come first',
    needs: ['sessions.update'],
    async run({ store }) {
      await store.messages.append('s', turns(1), create)
      const before = await store.sessions.get('s')
      await rejects('conflict', 'messages.append', () =>
        store.messages.append('s', [user('q')], { expectedVersion: 9, operationId: 'op' }),
      )
      await rejects('invalid', 'messages.append', () => store.messages.append('s', [user('q', { id: '' })]))
      await rejects('conflict', 'sessions.update', () =>
        store.sessions.update('s', { name: 'n', ifNameSource: [] }),
      )
      assert.deepEqual(await store.sessions.get('s'), before)
      const { version, firstSeq } = await store.messages.append('s', [user('q')], { operationId: 'op' })
      assert.deepEqual([version, firstSeq], [2, 3])
    },
  },
  {
    id: 'ERR-07',
    group,
    title: 'capabilities agree with the methods that are missing',
    async run({ store }) {
      const { missing, transactions, search, threads, changes, maintenance } = store.capabilities
      const has = (method: PortMethod) => !missing.includes(method)
      const hasPart = (part: string) =>
        portMethods.filter((method) => method.startsWith(`${part}.`)).some(has)
      assert.equal(transactions !== 'none', has('transact'), 'transactions')
      assert.equal(search !== 'none', hasPart('search'), 'search')
      assert.equal(threads, hasPart('threads'), 'threads')
      assert.equal(changes, hasPart('changes'), 'changes')
      const tasks = ['check', 'optimize', 'vacuum', 'reindex', 'backup', 'prune'] as const
      assert.deepEqual(
        tasks.filter((task) => maintenance.includes(task)),
        tasks.filter((task) => has(`maintenance.${task}`)),
      )
    },
  },
  {
    id: 'ERR-08',
    group,
    title: 'a method that capabilities do not name as missing never rejects with unsupported',
    async run({ store }) {
      await store.messages.append('s', [user('q', { id: 'm' })], create)
      for (const method of portMethods) {
        // A backup would leave a file behind.
        if (store.capabilities.missing.includes(method) || method === 'maintenance.backup') continue
        const error: unknown = await sampleCalls[method](store).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        const isMissing = isStoreError(error) && error.code === 'unsupported'
        assert.ok(!isMissing, `${method} is not supported, and capabilities.missing does not say so`)
      }
    },
  },
  {
    id: 'ERR-09',
    group,
    title: 'every rejection of an import names its method and its code',
    needs: ['sessions.import'],
    async run({ store }) {
      const { sessions } = store
      await store.messages.append('s', [user('q')], create)
      await rejects('already-exists', 'sessions.import', () => sessions.import({ id: 's' }, []))
      await rejects('invalid', 'sessions.import', () => sessions.import({ id: '' }, []))
      await rejects('invalid', 'sessions.import', () => sessions.import({}, 5 as never))
      assert.equal((await readAll(store, 's')).length, 1)
    },
  },
]
