import { StoreError } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { parseStoreUrl } from './url.ts'

describe('parseStoreUrl', () => {
  test.each([
    ['sess.db', 'sess.db'],
    ['./a b/sess.db', './a b/sess.db'],
    ['C:\\data\\sess.db', 'C:\\data\\sess.db'],
    ['sqlite:sess.db', 'sess.db'],
    ['sqlite:/tmp/sess.db', '/tmp/sess.db'],
    ['sqlite:///tmp/a%20b.db', '/tmp/a b.db'],
    ['sqlite::memory:', ':memory:'],
    ['file:sess.db', 'sess.db'],
    ['FILE:sess.db', 'sess.db'],
    ['file:///tmp/sess.db', '/tmp/sess.db'],
    [':memory:', ':memory:'],
  ])('%s is a SQLite file', (url, path) => {
    expect(parseStoreUrl(url)).toEqual({ kind: 'sqlite', path })
  })

  test('memory: is the memory store', () => {
    expect(parseStoreUrl('memory:')).toEqual({ kind: 'memory' })
  })

  test.each([
    ['', 'invalid', 'url: must name a store'],
    ['memory:x', 'invalid', 'url: "memory:" takes nothing behind it, found "x"'],
    ['file:', 'invalid', 'url: must name a file'],
    ['file://host/a.db', 'invalid', 'url: "file://host/a.db" is no file URL of this machine'],
    [
      'postgres://x',
      'invalid',
      'url: no backend has the scheme "postgres:" (a file of that name is "file:postgres://x")',
    ],
    ['libsql://db.example', 'unsupported', 'url: this version has no backend for "libsql:"'],
    ['https://db.example', 'unsupported', 'url: this version has no backend for "https:"'],
  ])('%s is refused', (url, code, message) => {
    const refused = () => parseStoreUrl(url)
    expect(refused).toThrow(StoreError)
    expect(refused).toThrow(expect.objectContaining({ code, message }))
  })
})
