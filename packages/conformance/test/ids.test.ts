// Ids of specs stand in reports and in other people's notes: unique, well-formed, none left out of the list.

import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Spec, specGroups, specGroupsWithin, storeSpecs, tierOf, tiers } from '../src/index.ts'

const folder = new URL('../src/specs/', import.meta.url)

/** Every spec any file of the folder exports. */
async function specsOfFiles(): Promise<Spec[]> {
  const files = await readdir(folder)
  const modules = await Promise.all(
    files.map((file): Promise<{ [name: string]: readonly Spec[] }> => import(new URL(file, folder).href)),
  )
  return modules.flatMap((module) => Object.values(module).flat())
}

describe('the specs', () => {
  test('have unique ids and titles', () => {
    for (const key of ['id', 'title'] as const) {
      const values = storeSpecs.map((spec) => spec[key])
      expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
    }
  })

  test('have ids of three letters and two digits, the letters those of their group', () => {
    for (const { group, prefix, specs } of specGroups) {
      expect(prefix).toMatch(/^[A-Z]{3}$/)
      for (const spec of specs) {
        expect(spec.id).toMatch(new RegExp(`^${prefix}-\\d{2}$`))
        expect(spec.group).toBe(group)
      }
    }
  })

  test('stand in the order of their ids', () => {
    for (const { specs } of specGroups) {
      const ids = specs.map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
    }
  })

  test('are all in the list, whichever file they stand in', async () => {
    const found = (await specsOfFiles()).map(({ id }) => id)
    expect(found.toSorted()).toEqual(storeSpecs.map(({ id }) => id).toSorted())
  })

  test('have titles that are sentences without a full stop', () => {
    for (const { title } of storeSpecs) expect(title).toMatch(/^\S.*[^.\s]$/)
  })

  test('are in groups that the README names with their prefixes', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const rows = [...readme.matchAll(/^\| `([A-Z]{3})-` \| ([^|]+) \|/gm)].map(([, prefix, title]) => [
      prefix,
      title?.trim(),
    ])
    expect(rows).toEqual(specGroups.map(({ prefix, title }) => [prefix, title]))
  })
})

describe('the tiers', () => {
  test('belong to the methods a spec needs', () => {
    expect(tierOf({})).toBe('A')
    expect(tierOf({ needs: ['sessions.list', 'messages.recentTurns'] })).toBe('A')
    expect(tierOf({ needs: ['sessions.fork', 'sessions.list'] })).toBe('B')
    expect(tierOf({ needs: ['search.messages', 'sessions.fork'] })).toBe('C')
    expect(tierOf({ needs: ['maintenance.stats'] })).toBe('D')
    for (const spec of storeSpecs) expect(spec.tier).toBe(tierOf(spec))
  })

  test('hold those before them', () => {
    const counts = tiers.map((tier) => specGroupsWithin(tier).flatMap(({ specs }) => specs).length)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(storeSpecs.length)
    const first = specGroupsWithin('A')
    expect(first.flatMap(({ specs }) => specs.filter(({ tier }) => tier !== 'A'))).toEqual([])
    expect(first.map(({ group }) => group)).not.toContain('forks')
  })
})
