// Runs the command line from source in a child process, in a folder and an environment of its own.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '@sess/connect'
import type { SessionStore } from '@sess/core'
import { afterEach, beforeEach } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
// Types are stripped once, not by each of some 70 processes.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Standard input; nothing, at its end, unless given. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** Closes standard output after its first bytes, as `head` does. */
  readonly closeEarly?: boolean
  /** Sends SIGINT while standard input is being read. */
  readonly interrupt?: boolean
}

/** What a test has: its own folder, the store in it, and the program. */
export interface Sess {
  folder: string
  /** The path of a file in the folder. */
  path(name: string): string
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  /** Runs, expects 0 and no message, and answers standard output. */
  out(args: readonly string[], options?: RunOptions): Promise<string>
  /** Fills the store that `run` uses, at times that begin with 2026-03-01T09:00Z, a minute apart. */
  fill<T>(work: (store: SessionStore) => Promise<T>): Promise<T>
}

export const start: number = Date.UTC(2026, 2, 1, 9)

/** A fresh folder for each test of a file. */
export function useSess(): Sess {
  const sess: Sess = {
    folder: '',
    path: (name) => join(sess.folder, name),
    run: (args, options = {}) => runMain(sess, args, options),
    async out(args, options = {}) {
      const { code, stdout, stderr } = await runMain(sess, args, options)
      if (code !== 0 || stderr !== '') throw new Error(`sess ${args.join(' ')}: ${code}\n${stdout}${stderr}`)
      return stdout
    },
    async fill(work) {
      let time = start
      const clock = () => {
        time += 60_000
        return time - 60_000
      }
      const store = await openStore(sess.path('sess.db'), { clock })
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    },
  }
  beforeEach(() => {
    sess.folder = mkdtempSync(join(tmpdir(), 'sess-cli-'))
  })
  afterEach(() => rmSync(sess.folder, { recursive: true, force: true }))
  return sess
}

/** Starts the program in the folder of a test. */
export function spawnSess(
  sess: Pick<Sess, 'folder' | 'path'>,
  args: readonly string[],
  { env }: Pick<RunOptions, 'env'> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--conditions=@sess/source', main, ...args], {
    cwd: sess.folder,
    env: {
      PATH: process.env.PATH,
      HOME: sess.folder,
      TMPDIR: sess.folder,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      SESS_DB: sess.path('sess.db'),
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
  })
}

function runMain(sess: Sess, args: readonly string[], options: RunOptions): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  const child = spawnSess(sess, args, options)
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.stdout.push(chunk)
    if (options.closeEarly) child.stdout.destroy()
  })
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
  // The child may end before it has read everything.
  child.stdin.on('error', () => {})
  // More than any pipe holds: it has been written when the child reads.
  if (options.interrupt) child.stdin.write(' '.repeat(4_000_000), () => child.kill('SIGINT'))
  else child.stdin.end(options.input ?? '')
  child.on('error', reject)
  child.on('close', (code) => {
    const text = (stream: 'stdout' | 'stderr') => Buffer.concat(chunks[stream]).toString()
    resolve({ code, stdout: text('stdout'), stderr: text('stderr') })
  })
  return promise
}
