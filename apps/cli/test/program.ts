// Runs command lines in this process, on a store in memory: all of the program but its entry, without a process for each.

import type { SessionStore } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import picocolors from 'picocolors'
import { beforeEach } from 'vitest'
import { describeFailure, toErrorJson, toErrorLine } from '../src/failure.ts'
import { visibleLine } from '../src/output/text.ts'
import { createProgram } from '../src/program.ts'
import { readSettings } from '../src/settings.ts'
import { type Run, start } from './sess.ts'

export interface Program {
  store: SessionStore
  /** Whether a command has asked for a store that is made where there is none. */
  mayMake: boolean
  /** What the store's clock shows; it stands still. */
  time: number
  /** In a pipe, or on a terminal of so many columns. */
  run(words: readonly string[], columns?: number): Promise<Run>
  /** Runs, expects 0 and no message, and answers standard output. */
  out(words: readonly string[], columns?: number): Promise<string>
  json(words: readonly string[]): Promise<unknown>
}

/** A fresh store for each test of a file, at 2026-03-01T09:00Z. */
export function useProgram(): Program {
  const program: Program = {
    store: createMemoryStore(),
    mayMake: false,
    time: start,
    run: (words, columns) => runProgram(program, words, columns),
    async out(words, columns) {
      const { code, stdout, stderr } = await program.run(words, columns)
      if (code !== 0 || stderr !== '') throw new Error(`sess ${words.join(' ')}: ${code}\n${stdout}${stderr}`)
      return stdout
    },
    json: async (words) => JSON.parse(await program.out([...words, '--json'])),
  }
  beforeEach(() => {
    program.time = start
    program.mayMake = false
    program.store = createMemoryStore({ clock: () => program.time })
  })
  return program
}

async function runProgram(
  state: Program,
  words: readonly string[],
  columns: number | undefined,
): Promise<Run> {
  const { store, time } = state
  let stdout = ''
  let stderr = ''
  let command = ''
  let code = 0
  const tell = (line: string) => {
    stderr += `${visibleLine(line)}\n`
  }
  const program = createProgram('0.0.0', {
    begin: (name) => {
      command = name
    },
    execute: async (name, flags, work) => {
      const machine = { environment: {}, platform: process.platform, home: '/home/ana' }
      const settings = readSettings({ tz: 'UTC', ...flags }, machine)
      const output = {
        isTerminal: columns !== undefined,
        columns: columns ?? 100,
        colors: picocolors.createColors(false),
        write: async (text: string) => {
          stdout += text
        },
        note: (line: string) => (settings.quiet ? undefined : tell(line)),
        warn: tell,
      }
      const context = {
        command: name,
        settings,
        output,
        words,
        now: time,
        store: async () => {
          state.mayMake = true
          return store
        },
        existingStore: async () => store,
        storeIfAny: async () => store,
        defer() {},
        blocking: async <T>(work: () => T) => work(),
      }
      code = (await work(context)) ?? 0
    },
  })
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const failure = await describeFailure(error, command)
    stderr += words.includes('--json') ? toErrorJson(failure) : toErrorLine(failure)
    code = failure.exitCode
  }
  return { code, stdout, stderr }
}
