// The command as its users run it: a process of its own, on source.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { specGroupsWithin } from '../src/index.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@sess/source', 'src/cli.ts', ...args],
    { cwd: folder, encoding: 'utf8' },
  )
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { status, lines, specs: lines.slice(0, -1), summary: lines.at(-1), stderr }
}

describe('sess-conformance', () => {
  test('prints one line for each spec and a summary, and ends with 0 where none failed', () => {
    const { status, specs, summary, stderr } = run('test/harnesses/memory.ts', '--tier', 'A')
    const expected = specGroupsWithin('A').flatMap((group) => group.specs)
    expect([status, stderr]).toEqual([0, ''])
    expect(specs.map((line) => line.slice(5, 11))).toEqual(expected.map(({ id }) => id))
    const skipped = specs.filter((line) => line.startsWith('skip'))
    expect(skipped).toContain(
      'skip LIF-33 both handles append at once to one session and seqs have neither gap nor repeat (the harness has no peer)',
    )
    expect(summary).toBe(
      `memory: ${specs.length - skipped.length} passed, ${skipped.length} skipped, 0 failed`,
    )
  })

  test('runs those whose ids begin as asked', () => {
    const { status, lines } = run('test/harnesses/memory.ts', '--only', 'USG-0')
    expect(status).toBe(0)
    expect(lines[0]).toBe(
      'ok   USG-01 usage is the last call’s, and is added to what all calls together cost, count by count',
    )
    expect(lines.at(-1)).toBe('memory: 9 passed, 0 skipped, 0 failed')
  })

  test('says what failed, hung or was left to nobody, goes on, and ends with 1', () => {
    const { status, specs, summary } = run('test/harnesses/wrong.ts', '--only', 'SES-0')
    expect(status).toBe(1)
    expect(specs.filter((line) => line.startsWith('FAIL'))).toEqual([
      'FAIL SES-03 get answers undefined for an unknown id and for one that no session can have: nobody listens',
      expect.stringMatching(
        /^FAIL SES-04 .*: sessions\.create\(\{ id: 'taken'.* \}\) was expected to reject with "already-exists" and answered \{/,
      ),
    ])
    expect(summary).toBe('wrong: 7 passed, 0 skipped, 2 failed')
    const hung = run('test/harnesses/wrong.ts', '--only', 'MSG-60')
    expect(hung.status).toBe(1)
    expect(hung.lines[0]).toMatch(/^FAIL MSG-60 .*: took more than 200 ms$/)
  })

  test.each([['--help'], ['-h'], ['a.ts', '--help']])('says what it takes, with %j', (...args) => {
    const { status, lines, stderr } = run(...args)
    expect([status, stderr]).toEqual([0, ''])
    expect(lines[0]).toBe('usage: sess-conformance ./harness.js [--tier A|B|C|D] [--only PREFIX]')
    for (const option of ['--tier', '--only', '--help']) {
      expect(lines.filter((line) => line.startsWith(`  ${option}`))).toHaveLength(1)
    }
  })

  test.each([
    [[], /^sess-conformance: usage: sess-conformance \.\/harness\.js/],
    [['a.ts', 'b.ts'], /^sess-conformance: usage: /],
    [['none.ts'], /^sess-conformance: there is no file .*none\.ts$/],
    [['test/harnesses/no-harness.ts'], /no-harness\.ts has no default export that is a harness/],
    [['src/clock.ts'], /clock\.ts has no default export that is a harness/],
    [['test/harnesses/throws.ts'], /throws\.ts cannot be imported: the database is not there and more$/],
    [['test/harnesses/memory.ts', '--tier', 'E'], /^sess-conformance: --tier is one of A, B, C, D, not "E"$/],
    [
      ['test/harnesses/memory.ts', '--only', 'XYZ'],
      /^sess-conformance: no spec has an id that begins with "XYZ"$/,
    ],
    [
      ['test/harnesses/memory.ts', '--only', 'SRC-', '--tier', 'A'],
      /^sess-conformance: no spec of tier A has an id that begins with "SRC-"$/,
    ],
    [['test/harnesses/memory.ts', '--tire', 'A'], /^sess-conformance: Unknown option '--tire'/],
  ])('says in one line what is wrong with %j, and ends with 2', (args, expected) => {
    const { status, lines, stderr } = run(...args)
    expect([status, lines]).toEqual([2, []])
    expect(stderr.trimEnd()).toMatch(expected)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
