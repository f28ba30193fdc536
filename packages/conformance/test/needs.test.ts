// What a spec says it needs is what it calls: a method left out would fail a store that lacks it instead of skipping,
// one too many would skip a store that has it.

import type { SessionStore } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { type HandleFeature, type PortMethod, runSpec, type StoreHarness, storeSpecs } from '../src/index.ts'
import { basicMethods } from '../src/methods.ts'
import { createSharedMemoryHarness } from './shared-memory.ts'

/** Specs that walk over all methods and leave out those that `capabilities.missing` names. */
const overAllMethods = ['ERR-04', 'LIF-01']

const parts = ['sessions', 'messages', 'threads', 'search', 'changes', 'maintenance'] as const

/** The store, telling which of its methods are called. */
function record(store: SessionStore, called: Set<string>): SessionStore {
  const recorded = parts.map((part) => {
    const methods = Object.entries(store[part]).map(
      ([name, method]: [string, (...input: never[]) => unknown]) => [
        name,
        (...input: never[]) => {
          called.add(`${part}.${name}`)
          return method(...input)
        },
      ],
    )
    return [part, Object.fromEntries(methods)]
  })
  return { ...store, ...Object.fromEntries(recorded) }
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
