// sess demo: a walk through a store that is gone afterwards. It shows what the commands print, cut to fit two screens.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@sess/connect'
import type { SessionStore } from '@sess/core'
import { changesStep, forkStep, rewindStep, threadStep } from '../demo/changing.ts'
import { formatStep, narrow, type Step } from '../demo/layout.ts'
import { nextSteps } from '../demo/next-steps.ts'
import { contextStep, exportStep, searchStep, showStep } from '../demo/reading.ts'
import { readSample, type Sample, toSizes } from '../demo/sample.ts'
import { toJsonText } from '../output/json.ts'
import { countOf } from '../output/session.ts'
import { formatTable } from '../output/session-table.ts'
import type { Context } from '../runtime.ts'
import { readSamples } from '../samples.ts'

export async function demo(context: Context): Promise<undefined> {
  const store = await openTemporary(context)
  const samples: Sample[] = []
  for (const { session, messages } of await readSamples()) {
    const { session: stored } = await store.sessions.import(session, messages)
    samples.push(await readSample(store, stored, context))
  }
  const { output, settings } = context
  if (settings.json) return void (await output.write(`${toJsonText({ items: samples.map(toSizes) })}\n`))
  await output.write(introduction(samples, context))
  let number = 0
  for await (const step of steps(store, samples, narrow(context))) {
    number++
    await output.write(formatStep(context, number, step))
  }
}

async function openTemporary({ defer, settings: { locale, timeZone } }: Context): Promise<SessionStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sess-demo-'))
  defer(() => rm(folder, { recursive: true, force: true }))
  const store = await openStore(join(folder, 'sess.db'), { locale, timeZone })
  // What is deferred last is done first: a store is closed before its file goes.
  defer(() => store.close())
  return store
}

function introduction(samples: readonly Sample[], { output: { colors } }: Context): string {
  const what = `${countOf(samples.length, 'sample')}, in a temporary store that goes away at the end.`
  return `${colors.bold('sess')}: the conversations of AI agents, kept and given back.\n${colors.dim(what)}\n`
}

async function* steps(
  store: SessionStore,
  samples: readonly Sample[],
  context: Context,
): AsyncGenerator<Step, void, undefined> {
  // Short enough to read on, long enough to have a context that is smaller.
  const sample =
    samples.toSorted((a, b) => a.messages.length - b.messages.length)[1] ?? (samples[0] as Sample)
  yield {
    title: 'What is there',
    command: '$ sess list',
    body: formatTable(await store.sessions.list(), context),
  }
  yield showStep(sample, context)
  yield await searchStep(store, context)
  yield contextStep(sample, samples, context)
  yield await exportStep(sample, context)
  const { token } = await store.changes.since('now')
  const { step, fork } = await forkStep(store, sample, context)
  yield step
  yield await rewindStep(store, sample, context)
  yield await threadStep(store, sample, context)
  yield await changesStep(store, token, fork, context)
  yield { title: 'Now you', command: '', body: nextSteps(context) }
}
