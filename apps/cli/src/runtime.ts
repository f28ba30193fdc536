// What a command gets to work with, and what has to be let go of at the end, also when Ctrl-C ends it.

import { homedir } from 'node:os'
import type { Logger, SessionStore } from '@sess/core'
import { createOutput, type Output } from './output/output.ts'
import { pause } from './pause.ts'
import { type GlobalFlags, readSettings, type Settings } from './settings.ts'
import { createSignals } from './signals.ts'

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
  /** The same for a command about what is stored, which makes no store where there is none. */
  existingStore(): Promise<SessionStore>
  /** The same for a command that does without one; `undefined` where there is none. */
  storeIfAny(): Promise<SessionStore | undefined>
  /** Has something done before the process ends, the last first; it must do no harm when called twice. */
  defer(work: () => Promise<void>): void
  /**
   * Runs work that does not give back to the event loop, such as reading a large file's JSON. Handlers of signals would
   * wait for it, so there are none meanwhile: a signal ends the process at once, as nothing is open yet.
   */
  blocking<T>(work: () => T): Promise<T>
}

export interface Runtime {
  context(command: string, flags: GlobalFlags): Context
  /** The exit code, once a signal is ending the process, whatever fails from then on. */
  endedBy(): number | undefined
  close(): Promise<void>
}

/** Prepares a run; `words` are those of the command line. */
export function createRuntime(words: readonly string[]): Runtime {
  const deferred: (() => Promise<void>)[] = []
  const stores: (() => Promise<void>)[] = []
  const signals = createSignals(() => drain(deferred))
  return {
    async close() {
      await drain(deferred)
      await drain(stores)
    },
    endedBy: signals.endedBy,
    context(command, flags) {
      const settings = readSettings(flags, {
        environment: process.env,
        platform: process.platform,
        home: homedir(),
      })
      const output = createOutput({ color: flags.color !== false, quiet: settings.quiet })
      let opened: Promise<SessionStore> | undefined
      const open = (url: string) => {
        opened ??= openWith({ ...settings, url }, output, (close) => stores.push(close))
        return opened
      }
      return {
        command,
        settings,
        output,
        words,
        now: Date.now(),
        store: async () => open(settings.url),
        async existingStore() {
          const { existingUrl } = await import('./existing-url.ts')
          return open(existingUrl(settings))
        },
        async storeIfAny() {
          const { isThere } = await import('./existing-url.ts')
          return isThere(settings.url) ? open(settings.url) : undefined
        },
        defer(work) {
          deferred.push(work)
        },
        async blocking(work) {
          // A signal that has come by now is heard in the next turn, and lost with its handler.
          await pause()
          await pause()
          return deferred.length === 0 && opened === undefined ? signals.without(work) : work()
        },
      }
    },
  }
}

/** Calls the last first. */
async function drain(works: (() => Promise<void>)[]): Promise<void> {
  for (let work = works.pop(); work !== undefined; work = works.pop()) await work()
}

async function openWith(
  { url, locale, timeZone }: Settings,
  output: Output,
  closeLater: (close: () => Promise<void>) => void,
): Promise<SessionStore> {
  const { openStore } = await import('@sess/connect')
  const store = await openStore(url, { locale, timeZone, logger: createLogger(output) })
  closeLater(() => store.close())
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
