import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFileWhole } from './write-file.ts'

let folder: string
const at = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sess-write-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* chunks(...texts: string[]) {
  yield* texts
}

const write = (path: string, texts: AsyncIterable<string> = chunks('new ', 'text')) =>
  writeFileWhole(path, texts, { url: at('sess.db'), defer: () => {} })

describe('writeFileWhole', () => {
  it('makes a file of its owner alone, and keeps the mode of one that is there', async () => {
    await write(at('new.json'))
    expect(readFileSync(at('new.json'), 'utf8')).toBe('new text')
    expect(statSync(at('new.json')).mode & 0o777).toBe(0o600)
    writeFileSync(at('old.json'), 'a much longer old text')
    chmodSync(at('old.json'), 0o640)
    await write(at('old.json'))
    expect(readFileSync(at('old.json'), 'utf8')).toBe('new text')
    expect(statSync(at('old.json')).mode & 0o777).toBe(0o640)
  })

  it('takes the longest name there can be', async () => {
    const name = 'n'.repeat(255)
    await write(at(name))
    expect(readdirSync(folder)).toStrictEqual([name])
  })

  it('leaves nothing of a write that fails', async () => {
    writeFileSync(at('old.json'), 'old')
    const failing = async function* () {
      yield 'half'
      throw new Error('no more')
    }
    await expect(write(at('old.json'), failing())).rejects.toThrow('no more')
    expect(readdirSync(folder)).toStrictEqual(['old.json'])
    expect(readFileSync(at('old.json'), 'utf8')).toBe('old')
  })

  it('leaves nothing where the process is ended in the middle', async () => {
    const deferred: (() => Promise<void>)[] = []
    const defer = (work: () => Promise<void>) => {
      deferred.push(work)
    }
    const interrupted = async function* () {
      yield 'half'
      expect(readdirSync(folder)).toStrictEqual([expect.stringMatching(/^\.sess-[0-9a-f]{16}\.tmp$/)])
      for (const work of deferred) await work()
      expect(readdirSync(folder)).toStrictEqual([])
      throw new Error('ended')
    }
    const written = writeFileWhole(at('new.json'), interrupted(), { url: at('sess.db'), defer })
    await expect(written).rejects.toThrow('ended')
    expect([deferred.length, readdirSync(folder)]).toStrictEqual([1, []])
  })

  it('does not write over the store', async () => {
    writeFileSync(at('sess.db'), 'a store')
    symlinkSync('sess.db', at('link.json'))
    for (const name of ['sess.db', 'sess.db-wal', 'link.json']) {
      await expect(write(at(name))).rejects.toMatchObject({
        code: 'invalid',
        message: `${at(name)}: is the store's own file: write to another one`,
      })
    }
    expect(readFileSync(at('sess.db'), 'utf8')).toBe('a store')
    expect(readdirSync(folder).sort()).toStrictEqual(['link.json', 'sess.db'])
  })

  it('does not write over another database, whatever it is called', async () => {
    const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)])
    const files = {
      'two.db': database,
      'two.db-shm': Buffer.alloc(100),
      'two.db-wal': Buffer.alloc(0),
      'log.json': Buffer.from('377f0683002de218', 'hex'),
      'journal.json': Buffer.from('d9d505f920a163d700000000', 'hex'),
    }
    for (const [name, bytes] of Object.entries(files)) writeFileSync(at(name), bytes)
    symlinkSync('two.db', at('link.json'))
    // Not there, and not to be: SQLite would take it for the database's own.
    for (const name of [...Object.keys(files), 'link.json', 'two.db-journal']) {
      await expect(write(at(name))).rejects.toMatchObject({
        code: 'invalid',
        message: `${at(name)}: is a SQLite database: write to another file`,
      })
    }
    for (const [name, bytes] of Object.entries(files)) expect(readFileSync(at(name))).toStrictEqual(bytes)
    expect(readdirSync(folder).sort()).toStrictEqual([...Object.keys(files), 'link.json'].sort())
    for (const name of ['plain-wal', 'SQLite format 3']) {
      writeFileSync(at(name), 'SQLite format 2')
      await write(at(name))
      expect(readFileSync(at(name), 'utf8')).toBe('new text')
    }
  })

  it('does not replace what may not be written', async () => {
    writeFileSync(at('kept.json'), 'kept', { mode: 0o444 })
    await expect(write(at('kept.json'))).rejects.toMatchObject({
      code: 'unavailable',
      message: `${at('kept.json')}: it is write-protected`,
    })
    expect(readFileSync(at('kept.json'), 'utf8')).toBe('kept')
  })

  it('refuses a folder, and links that lead nowhere', async () => {
    symlinkSync('nowhere', at('dangling'))
    symlinkSync('loop', at('loop'))
    for (const [path, reason] of [
      [folder, 'it is a folder, not a file'],
      [at('dangling'), 'it is a link to a file that is not there'],
      [at('loop'), 'too many symbolic links'],
    ] as const) {
      await expect(write(path)).rejects.toMatchObject({
        code: 'unavailable',
        message: `${path}: ${reason}`,
      })
    }
    expect(readdirSync(folder)).toStrictEqual(['dangling', 'loop'])
    await expect(write('')).rejects.toMatchObject({
      code: 'unavailable',
      message: '"": there is no such file or folder',
    })
  })

  it('writes to a named pipe once it is read, more than it holds', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const written = write(at('pipe'), chunks('x'.repeat(200_000), '', 'end'))
    expect(await readFile(at('pipe'), 'utf8')).toBe(`${'x'.repeat(200_000)}end`)
    await written
    expect(readdirSync(folder)).toStrictEqual(['pipe'])
    await write('/dev/null')
  })
})
