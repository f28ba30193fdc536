import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isStoreFile } from './store-file.ts'

let folder: string
const at = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sess-store-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('isStoreFile', () => {
  it('knows the store by whatever name it is called', () => {
    mkdirSync(at('sub'))
    writeFileSync(at('sess.db'), 'x')
    writeFileSync(at('sess.db-wal'), 'x')
    symlinkSync('sess.db', at('link.db'))
    symlinkSync('..', at('sub/up'))
    linkSync(at('sess.db'), at('hard.db'))
    linkSync(at('sess.db-wal'), at('hard.log'))
    const own = [
      'sess.db',
      'sess.db-wal',
      'sess.db-shm',
      'sess.db-journal',
      'link.db',
      'hard.db',
      'hard.log',
      'hard.db-journal',
      'sub/../sess.db',
      'sub/up/sess.db-shm',
    ]
    for (const url of ['sess.db', 'link.db', 'sub/up/sess.db']) {
      for (const name of own) expect([name, isStoreFile(at(name), at(url))]).toStrictEqual([name, true])
    }
    for (const name of own.filter((one) => one !== 'hard.log')) {
      expect([name, isStoreFile(at(name), at('hard.db'))]).toStrictEqual([name, true])
    }
    expect(isStoreFile(relative(process.cwd(), at('sess.db')), `file:${at('sess.db')}`)).toBe(true)
    expect(isStoreFile(at('sess.db'), `file://${at('sess.db')}`)).toBe(true)
  })

  it('takes no other file for it', () => {
    writeFileSync(at('sess.db'), 'x')
    writeFileSync(at('other.db'), 'x')
    for (const name of ['other.db', 'other.db-wal', 'new.json', 'sess.db.json', 'no/sess.db', '-wal', '']) {
      expect([name, isStoreFile(at(name), at('sess.db'))]).toStrictEqual([name, false])
    }
    expect(isStoreFile(at(':memory:'), ':memory:')).toBe(false)
    expect(isStoreFile(at('sess.db'), 'memory:')).toBe(false)
  })

  it('knows a store that is not there yet', () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('folder'))
    expect(isStoreFile(at('folder/sess.db'), at('real/sess.db'))).toBe(true)
    expect(isStoreFile(at('folder/sess.db-wal'), at('real/sess.db'))).toBe(true)
    expect(isStoreFile(at('folder/sess.json'), at('real/sess.db'))).toBe(false)
    expect(isStoreFile(at('no/such/sess.db'), at('no/such/sess.db'))).toBe(true)
  })
})
