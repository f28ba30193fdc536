// Processes of their own, for tests of one file in several of them.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** Starts a program of `children`. */
export function start(program: string, ...args: readonly (string | number)[]): ChildProcess {
  const file = fileURLToPath(new URL(`./children/${program}.ts`, import.meta.url))
  return spawn(process.execPath, ['--conditions=@sess/source', file, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** The lines a process prints, until it ends; rejects when it fails. */
export async function linesOf(child: ChildProcess): Promise<string[]> {
  let text = ''
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString()
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  return text.trim().split('\n')
}

/** A process that has a path to itself, until it is killed. */
export async function startLockOn(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import Database from ${JSON.stringify(import.meta.resolve('better-sqlite3'))}
     const lock = new Database(${JSON.stringify(`${path}.opening`)})
     lock.exec('BEGIN EXCLUSIVE')
     console.log('held')
     setInterval(() => {}, 1000)`,
  ])
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}
