// What a spec says it needs is what it calls: a method left out would fail a store that lacks it instead of skipping,
// one too many would skip a store that has it.

import type { SessionStore, StoreScope } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { type HandleFeature, type PortMethod, runSpec, type StoreHarness, storeSpecs } from '../src/index.ts'
import { basicMethods } from '../src/methods.ts'
import { createSharedMemoryHarness } from './memory-harness.ts'

/** Specs that walk over all methods and leave out those that `capabilities.missing` names. */
const overAllMethods = ['ERR-04', 'ERR-08', 'ERR-20', 'ERR-21', 'ERR-22', 'ERR-23', 'LIF-01']

type Methods = { readonly [name: string]: (...input: never[]) => unknown }

/** The methods of a part, telling which of them are called. */
function recordPart<Part extends object>(name: string, part: Part, called: Set<string>): Part {
  const methods = Object.entries(part as Methods).map(([key, method]) => [
    key,
    (...input: never[]) => {
      called.add(`${name}.${key}`)
      return method(...input)
    },
  ])
  return Object.fromEntries(methods) as Part
}

function recordScope({ sessions, messages, threads }: StoreScope, called: Set<string>): StoreScope {
  return {
    sessions: recordPart('sessions', sessions, called),
    messages: recordPart('messages', messages, called),
    threads: recordPart('threads', threads, called),
  }
}

/** The store, telling which of its methods are called, inside transactions too. */
function record(store: SessionStore, called: Set<string>): SessionStore {
  return {
    ...store,
    ...recordScope(store, called),
    search: recordPart('search', store.search, called),
    changes: recordPart('changes', store.changes, called),
    maintenance: recordPart('maintenance', store.maintenance, called),
    transact: (work) => {
      called.add('transact')
      return store.transact((scope) => work(recordScope(scope, called)))
    },
  }
}

/** A harness that tells which methods and features are used. */
function recordingHarness(called: Set<string>, features: Set<string>): StoreHarness {
  const whole = createSharedMemoryHarness()
  return {
    name: 'recording',
    async open(options) {
      const handle = await whole.open(options)
      const use = async (feature: HandleFeature, open: (() => Promise<SessionStore>) | undefined) => {
        features.add(feature)
        return record((await open?.()) as SessionStore, called)
      }
      return {
        store: record(handle.store, called),
        reopen: () => use('reopen', handle.reopen),
        peer: () => use('peer', handle.peer),
        async damage(target) {
          features.add('damage')
          await handle.damage?.(target)
        },
        dispose: handle.dispose,
      }
    },
  }
}

describe('a spec calls what it needs', () => {
  const specs = storeSpecs.filter(({ id }) => !overAllMethods.includes(id))
  test.each(specs.map((spec) => [spec.id, spec] as const))('%s', async (_, spec) => {
    const called = new Set<string>()
    const features = new Set<string>()
    await runSpec(spec, recordingHarness(called, features))
    const basic: readonly string[] = basicMethods
    const beyond = [...called].filter((method) => !basic.includes(method)).sort()
    const needs: readonly PortMethod[] = spec.needs ?? []
    expect(beyond).toEqual([...needs].sort())
    expect([...features]).toEqual(spec.needsHandle ?? [])
  })
})
