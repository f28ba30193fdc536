import type { StoreOptions } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { describe, expect, test } from 'vitest'
import type { StoreHandle, StoreHarness } from './harness.ts'
import { profileOf, runSpec, skipReason } from './run.ts'
import type { Spec } from './spec.ts'

const spec: Spec = { id: 'TST-01', group: 'errors', title: 'a spec', run: async () => undefined }

/** A harness over a memory store without `transact` that tells what was opened and disposed. */
function tracked(rest: Partial<StoreHandle> = {}) {
  const events: string[] = []
  const options: StoreOptions[] = []
  const harness: StoreHarness = {
    name: 'tracked',
    async open(given) {
      events.push('open')
      options.push(given)
      const dispose = async () => {
        events.push('dispose')
      }
      const store = createMemoryStore(given)
      const capabilities = { ...store.capabilities, missing: ['transact'] }
      return { store: { ...store, capabilities }, dispose, ...rest }
    },
  }
  return { harness, events, options }
}

describe('runSpec', () => {
  test('opens a store, runs the spec and disposes of the store', async () => {
    const { harness, events } = tracked()
    expect(await runSpec(spec, harness)).toEqual({ outcome: 'passed' })
    expect(events).toEqual(['open', 'dispose'])
  })

  test('answers what a spec rejects with and still disposes of every store', async () => {
    const { harness, events } = tracked()
    const error = new Error('broken')
    const failing: Spec = {
      ...spec,
      async run({ another }) {
        await another()
        throw error
      },
    }
    expect(await runSpec(failing, harness)).toEqual({ outcome: 'failed', error })
    expect(events).toEqual(['open', 'open', 'dispose', 'dispose'])
  })

  test('fails a spec whose store cannot be opened or let go of', async () => {
    const error = new Error('stuck')
    const stuck = tracked({ dispose: () => Promise.reject(error) })
    expect(await runSpec(spec, stuck.harness)).toEqual({ outcome: 'failed', error })
    const shut: StoreHarness = { name: 'shut', open: () => Promise.reject(error) }
    expect(await runSpec(spec, shut)).toEqual({ outcome: 'failed', error })
  })

  test('skips what the store or the harness lacks, with the reason', async () => {
    const { harness, events } = tracked()
    const lacking: Spec = { ...spec, needs: ['transact', 'sessions.get'] }
    expect(await runSpec(lacking, harness)).toEqual({
      outcome: 'skipped',
      reason: 'the store has no transact',
    })
    expect(events).toEqual(['open', 'dispose'])
  })

  test('hands over the options of the spec beside a clock and ids', async () => {
    const { harness, options } = tracked()
    await runSpec({ ...spec, options: { idPrefix: 'p' } }, harness)
    expect(options[0]?.idPrefix).toBe('p')
    expect(options[0]?.clock?.()).toBe(Date.UTC(2026, 2, 1, 12))
    expect(options[0]?.ids?.message(0)).toBe('m-1')
  })

  test('fails a spec that uses a feature the harness has not and that it does not name', async () => {
    const wrong: Spec = {
      ...spec,
      async run({ peer }) {
        await peer()
      },
    }
    expect(await runSpec(wrong, tracked().harness)).toMatchObject({ outcome: 'failed' })
  })
})

describe('skipReason', () => {
  test('names missing methods, absent features and messages that are too large', async () => {
    const { harness, events } = tracked()
    const profile = await profileOf(harness)
    expect(events).toEqual(['open', 'dispose'])
    expect(skipReason(spec, profile)).toBeUndefined()
    const { capabilities } = profile
    expect(skipReason({ ...spec, needs: ['transact'] }, profile)).toBe('the store has no transact')
    expect(skipReason({ ...spec, needsHandle: ['peer', 'reopen'] }, profile)).toBe(
      'the harness has no peer, reopen',
    )
    const small = { ...profile, capabilities: { ...capabilities, maxMessageBytes: 10 } }
    expect(skipReason({ ...spec, needsMessageBytes: 11 }, small)).toBe('the store takes 10 bytes a message')
    expect(skipReason({ ...spec, needsMessageBytes: 10 }, small)).toBeUndefined()
  })
})
