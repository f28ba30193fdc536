// What a command gets to work with, and what has to be let go of at the end, also when Ctrl-C ends it.

import { homedir } from 'node:os'
import type { Logger, SessionStore } from '@sess/core'
import { exitCodes } from './exit-codes.ts'
import { createOutput, type Output } from './output/output.ts'
import { type GlobalFlags, readSettings, type Settings } from './settings.ts'

export interface Context {
  /** The command's name. */
  readonly command: string
  readonly settings: Settings
  readonly output: Output
  /** The words of the command line, to repeat it with another flag. */
  readonly words: readonly string[]
  /** Epoch milliseconds, one moment for the whole command. */
  readonly now: number
  /** The store, opened at the first call. */
  store(): Promise<SessionStore>
  /** The same for a command that only reads, which makes no store where there is none. */
  storeToRead(): Promise<SessionStore>
  /** Has something done before the process ends, the last first; it must do no harm when called twice. */
  defer(work: () => Promise<void>): void
}

export interface Runtime {
  context(command: string, flags: GlobalFlags): Context
  /** The exit code, once a signal is ending the process: what fails from then on fails because the store is closed. */
  endedBy(): number | undefined
  close(): Promise<void>
}

/** Prepares a run; `words` are those of the command line. */
export function createRuntime(words: readonly string[]): Runtime {
  const deferred: (() => Promise<void>)[] = []
  const close = async () => {
    for (let work = deferred.pop(); work !== undefined; work = deferred.pop()) await work()
  }
  let ended: number | undefined
  const endBy = (code: number) => async () => {
    ended = code
    try {
      await close()
    } finally {
      process.exit(code)
    }
  }
  // Once: a second Ctrl-C ends the process at once, as without a handler.
  process.once('SIGINT', endBy(exitCodes.interrupted))
  process.once('SIGTERM', endBy(exitCodes.terminated))
  return {
    close,
    endedBy: () => ended,
    context(command, flags) {
      const settings = readSettings(flags, {
        environment: process.env,
        platform: process.platform,
        home: homedir(),
      })
      let opened: Promise<SessionStore> | undefined
      const defer = (work: () => Promise<void>) => {
        deferred.push(work)
      }
      const output = createOutput({ color: flags.color !== false, quiet: settings.quiet })
      return {
        command,
        settings,
        output,
        words,
        now: Date.now(),
        store: () => {
          opened ??= open(settings, output, defer)
          return opened
        },
        storeToRead: () => {
          opened ??= openToRead(settings, output, defer)
          return opened
        },
        defer,
      }
    },
  }
}

async function openToRead(
  settings: Settings,
  output: Output,
  defer: (work: () => Promise<void>) => void,
): Promise<SessionStore> {
  const { urlToRead } = await import('./url-to-read.ts')
  return open({ ...settings, url: urlToRead(settings) }, output, defer)
}

async function open(
  { url, locale, timeZone }: Settings,
  output: Output,
  defer: (work: () => Promise<void>) => void,
): Promise<SessionStore> {
  const { openStore } = await import('@sess/connect')
  const store = await openStore(url, { locale, timeZone, logger: createLogger(output) })
  defer(() => store.close())
  return store
}

/** What a store only tells of, such as a session with a broken column, which it gives without it. */
function createLogger({ warn }: Output): Logger {
  const tell = (fields: object, message: string) => {
    const { what } = fields as { readonly what?: unknown }
    warn(typeof what === 'string' ? `${message}: ${what}` : message)
  }
  return { debug() {}, info() {}, warn: tell, error: tell }
}
