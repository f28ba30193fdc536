// Runs one spec against a fresh store, for any test runner. Disposing is part of the spec: a store that cannot be let go
// of fails it, but never hides the failure that came first.

import type { StoreCapabilities, StoreOptions } from '@sess/core'
import { createTestClock, createTestIds } from './clock.ts'
import type { StoreHandle, StoreHarness } from './harness.ts'
import type { HandleFeature, Spec, SpecContext } from './spec.ts'
import { traced } from './trace.ts'

export type SpecResult =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly error: unknown }

/** What decides whether a spec can run. */
export interface StoreProfile {
  readonly capabilities: StoreCapabilities
  readonly features: readonly HandleFeature[]
}

/** Opens a store of the harness once, to see what it can do. */
export async function profileOf(harness: StoreHarness): Promise<StoreProfile> {
  const handle = await harness.open({ clock: createTestClock().now, ids: createTestIds() })
  try {
    return readProfile(handle)
  } finally {
    await handle.dispose()
  }
}

/** Why a spec does not apply to a store; `undefined` when it does. */
export function skipReason(spec: Spec, { capabilities, features }: StoreProfile): string | undefined {
  const missing = spec.needs?.filter((method) => capabilities.missing.includes(method)) ?? []
  if (missing.length > 0) return `the store has no ${missing.join(', ')}`
  const absent = spec.needsHandle?.filter((feature) => !features.includes(feature)) ?? []
  if (absent.length > 0) return `the harness has no ${absent.join(', ')}`
  if ((spec.needsMessageBytes ?? 0) > capabilities.maxMessageBytes) {
    return `the store takes ${capabilities.maxMessageBytes} bytes a message`
  }
  return undefined
}

/** Runs a spec against a store of its own; never rejects. */
export async function runSpec(spec: Spec, harness: StoreHarness): Promise<SpecResult> {
  const handles: StoreHandle[] = []
  let result: SpecResult
  try {
    result = await run(spec, harness, handles)
  } catch (error) {
    result = { outcome: 'failed', error }
  }
  for (const handle of handles) {
    try {
      await handle.dispose()
    } catch (error) {
      if (result.outcome !== 'failed') result = { outcome: 'failed', error }
    }
  }
  return result
}

async function run(spec: Spec, harness: StoreHarness, handles: StoreHandle[]): Promise<SpecResult> {
  const clock = createTestClock()
  const open = async (): Promise<StoreHandle> => {
    const options: StoreOptions = { clock: clock.now, ids: createTestIds(), ...spec.options }
    const opened = await harness.open(options)
    handles.push(opened)
    return opened
  }
  const handle = await open()
  const reason = skipReason(spec, readProfile(handle))
  if (reason !== undefined) return { outcome: 'skipped', reason }
  const context: SpecContext = {
    store: traced(handle.store),
    clock,
    reopen: async () => traced(await present(handle.reopen, 'reopen').call(handle)),
    peer: async () => traced(await present(handle.peer, 'peer').call(handle)),
    damage: (target) => present(handle.damage, 'damage').call(handle, target),
    another: async () => traced((await open()).store),
  }
  await spec.run(context)
  return { outcome: 'passed' }
}

function readProfile(handle: StoreHandle): StoreProfile {
  const features = (['reopen', 'peer', 'damage'] as const).filter((feature) => handle[feature] !== undefined)
  return { capabilities: handle.store.capabilities, features }
}

/** A spec that uses a feature without naming it in `needsHandle` is wrong itself. */
function present<T>(value: T | undefined, feature: HandleFeature): T {
  if (value === undefined) throw new Error(`the spec uses ${feature} and does not say that it needs it`)
  return value
}
