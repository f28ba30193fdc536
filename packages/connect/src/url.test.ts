import { StoreError } from '@sess/core'
import { describe, expect, test } from 'vitest'
import { displayUrl, parseStoreUrl } from './url.ts'

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
    ['memory:x', 'invalid', 'url: "memory:" takes nothing behind it'],
    ['file:', 'invalid', 'url: must name a file'],
    ['file://host/a.db', 'invalid', 'url: is no file URL of this machine, which is "file:///PATH"'],
    [
      'notes:2026.db',
      'invalid',
      'url: no backend has the scheme "notes:" (a file of that name is "file:notes:2026.db")',
    ],
    ['libsql://db.example', 'unsupported', 'url: this version has no backend for "libsql:"'],
    ['https://db.example', 'unsupported', 'url: this version has no backend for "https:"'],
  ])('%s is refused', (url, code, message) => {
    const refused = () => parseStoreUrl(url)
    expect(refused).toThrow(StoreError)
    expect(refused).toThrow(expect.objectContaining({ code, message }))
  })

  test.each([
    'postgres://ana:hush@db.example/sess',
    'postgres:ana:hush@db.example',
    'postgres://db.example/?password=hush',
    'memory:ana:hush@x',
    'file://ana:hush@db.example/x',
    'sqlite://ana:hush@db.example/x',
    'https://ana:hush@db.example',
    'libsql://db.example?authToken=hush',
  ])('no message has the password of %s', (url) => {
    const refused = () => parseStoreUrl(url)
    expect(refused).toThrow(StoreError)
    expect(refused).not.toThrow(/hush/)
  })
})

describe('displayUrl', () => {
  test.each([
    ['./a b/sess@home.db', './a b/sess@home.db'],
    ['C:\\data\\sess.db', 'C:\\data\\sess.db'],
    ['sqlite:sess.db', 'sqlite:sess.db'],
    ['file:///tmp/a@b.db', 'file:///tmp/a@b.db'],
    [':memory:', ':memory:'],
    ['memory:', 'memory:'],
    ['libsql://ana:hush@db.example:8080/sess?authToken=hush#hush', 'libsql://db.example:8080/sess'],
    ['postgres://ana:hu/sh@db.example', 'postgres:...'],
    ['postgres://ana:hu?sh@db.example', 'postgres:...'],
  ])('%s is %s', (url, shown) => {
    expect(displayUrl(url)).toBe(shown)
  })
})
