// Ctrl-C and its like, at moments when a thread could keep the process: named pipes that nobody writes to or reads.

import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { spawnSess, useSess } from './sess.ts'

const sess = useSess()

const pipe = () => {
  execFileSync('mkfifo', [sess.path('pipe')])
  return sess.path('pipe')
}

const ended = (child: ChildProcess) =>
  new Promise<unknown>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s', (signal, code) => {
  it('ends an import that waits for more of a named pipe', async () => {
    const path = pipe()
    const child = spawnSess(sess, ['import', path])
    const end = ended(child)
    // Opens once the other side reads.
    const writer = await open(path, 'w')
    await writer.write('{"role":"user","content":"hi"}\n')
    child.kill(signal)
    expect(await end).toBe(code)
    await writer.close()
    expect(existsSync(sess.path('sess.db'))).toBe(false)
  })

  it('ends an export into a named pipe that is read no further', async () => {
    await sess.fill(async ({ messages }) => {
      const content = 'x'.repeat(1_000_000)
      await messages.append('a', [{ role: 'user', content }], { createSession: true })
    })
    const path = pipe()
    const child = spawnSess(sess, ['export', 'a', '-o', path])
    const end = ended(child)
    const reader = await open(path, 'r')
    await reader.read(Buffer.alloc(10))
    child.kill(signal)
    expect(await end).toBe(code)
    await reader.close()
    expect(readdirSync(sess.folder).filter((name) => name.endsWith('.tmp'))).toStrictEqual([])
  })
})
