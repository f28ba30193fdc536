import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxInputBytes, readInput } from './read-input.ts'

let folder: string
const at = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sess-read-input-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (bytes: string | Buffer) => writeFileSync(at('file'), bytes)
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('readInput', () => {
  it('reads UTF-8, and UTF-16 that says so', async () => {
    const text = '{"a":"你好 👋"}\n'
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16be(`\ufeff${text}`),
    ]) {
      write(bytes)
      expect(await readInput(at('file'))).toBe(text)
    }
    write('')
    expect(await readInput(at('file'))).toBe('')
  })

  it('refuses what is no text, by name', async () => {
    const mistakes: [Buffer, string][] = [
      [Buffer.from([0x7b, 0xff, 0x7d]), 'is no text in UTF-8'],
      [Buffer.from([0xe4, 0xbd]), 'is no text in UTF-8'],
      [Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'is no text in UTF-8'],
      [Buffer.from('{"a":1}', 'utf16le'), 'is no text in UTF-8 (it has a NUL)'],
      [
        Buffer.from('SQLite format 3\0 and so on'),
        'is a SQLite database, no text ("sess --db FILE export --all" writes what "sess import" reads)',
      ],
    ]
    for (const [bytes, message] of mistakes) {
      write(bytes)
      await expect(readInput(at('file'))).rejects.toMatchObject({
        code: 'invalid',
        message: `${at('file')}: ${message}`,
      })
    }
  })

  it('refuses what is too large, without reading it', async () => {
    write('')
    truncateSync(at('file'), maxInputBytes + 1)
    await expect(readInput(at('file'))).rejects.toMatchObject({
      code: 'too-large',
      message: `${at('file')}: has more than 511 MiB, which is the most that is read of one input`,
    })
  })

  it('reads as much as the limit, and of what never ends no more', async () => {
    write('x'.repeat(10))
    expect(await readInput(at('file'), 10)).toBe('x'.repeat(10))
    await expect(readInput(at('file'), 9)).rejects.toMatchObject({
      code: 'too-large',
      message: `${at('file')}: has more than 9 bytes, which is the most that is read of one input`,
    })
    await expect(readInput('/dev/zero', 3_000_000)).rejects.toMatchObject({
      code: 'too-large',
      message: '/dev/zero: has more than 2 MiB, which is the most that is read of one input',
    })
  })

  it('waits for who writes to a named pipe, and reads it to its end', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const text = 'x'.repeat(300_000)
    const read = readInput(at('pipe'))
    const writer = await open(at('pipe'), 'w')
    await writer.writeFile(text)
    await writer.close()
    expect(await read).toBe(text)
  })

  it('tells what the system refuses', async () => {
    for (const [path, reason] of [
      [folder, 'it is a folder, not a file'],
      [at('missing'), 'there is no such file or folder'],
      [at('x'.repeat(300)), 'the name is too long'],
    ] as const) {
      await expect(readInput(path)).rejects.toMatchObject({
        code: 'unavailable',
        message: `${path}: ${reason}`,
      })
    }
  })
})
