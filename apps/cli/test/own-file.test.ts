// The store's own file as the target of an export, or as what is imported.

import { linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useSess } from './sess.ts'

const sess = useSess()

const fill = () =>
  sess.fill(async (store) => {
    await store.messages.append('a', [{ role: 'user', content: 'hi' }], { createSession: true })
  })

describe("the store's own file", () => {
  it('is not exported over', async () => {
    await fill()
    symlinkSync('sess.db', sess.path('link.json'))
    linkSync(sess.path('sess.db'), sess.path('hard.json'))
    const before = readFileSync(sess.path('sess.db'))
    for (const name of ['sess.db', 'sess.db-wal', './sess.db-journal', 'link.json', 'hard.json']) {
      expect(await sess.run(['export', 'a', '-o', name])).toStrictEqual({
        code: 5,
        stdout: '',
        stderr: `sess: ${name}: is the store's own file: write to another one\n`,
      })
    }
    expect(readFileSync(sess.path('sess.db'))).toStrictEqual(before)
  })

  it('is not written where there is none yet', async () => {
    const env = { SESS_DB: '', XDG_DATA_HOME: sess.folder }
    const target = sess.path('sess')
    expect(await sess.run(['export', '--all', '-o', target], { env: { SESS_DB: target } })).toMatchObject({
      code: 6,
    })
    const written = await sess.run(['export', '--all', '-o', `${target}/sess.db`], { env })
    expect(written).toMatchObject({ code: 5, stdout: '' })
    expect(readdirSync(sess.folder)).toStrictEqual([])
  })

  it('is not exported over by another store', async () => {
    await fill()
    const before = readFileSync(sess.path('sess.db'))
    expect(await sess.run(['--db', 'one.db', 'new', '--id', 'b'])).toMatchObject({ code: 0 })
    for (const name of ['sess.db', 'sess.db-wal']) {
      expect(await sess.run(['--db', 'one.db', 'export', '--all', '-o', name])).toStrictEqual({
        code: 5,
        stdout: '',
        stderr: `sess: ${name}: is a SQLite database: write to another file\n`,
      })
    }
    expect(readFileSync(sess.path('sess.db'))).toStrictEqual(before)
  })

  it('is not imported, nor another database', async () => {
    await fill()
    const hint = 'import reads what other programs or "sess export" wrote'
    expect(await sess.run(['import', 'sess.db'])).toStrictEqual({
      code: 5,
      stdout: '',
      stderr: `sess: sess.db: is the store's own file (${hint})\n`,
    })
    const other = await sess.run(['--db', 'new.db', 'import', 'sess.db'])
    expect(other).toMatchObject({ code: 5, stdout: '' })
    expect(other.stderr).toMatch(/^sess: sess\.db: is a SQLite database, no text /)
    expect(readdirSync(sess.folder)).not.toContain('new.db')
  })
})
