import { describe, expect, it } from 'vitest'
import { type Column, layoutTable } from './table.ts'
import { widthOf } from './width.ts'

const columns: Column[] = [
  { title: 'ID' },
  { title: 'NAME', min: 8 },
  { title: 'TYPE', drop: 1 },
  { title: 'MSGS', align: 'right' },
  { title: 'FOLDER', min: 8, drop: 2 },
]
const rows = [
  ['1', 'Login test fails only in CI', 'user', '44', '/home/ana/shop'],
  ['22', '杭州三日游计划', 'user', '3', ''],
  ['333', 'Cafe\u0301 👩‍👩‍👧', 'gateway', '1,000', '/srv'],
]

describe('layoutTable', () => {
  it('gives each column what it needs where there is room', () => {
    expect(layoutTable(columns, rows, 100)).toStrictEqual([
      'ID   NAME                         TYPE      MSGS  FOLDER',
      '1    Login test fails only in CI  user        44  /home/ana/shop',
      '22   杭州三日游计划               user         3',
      '333  Cafe\u0301 👩‍👩‍👧                      gateway  1,000  /srv',
    ])
  })

  it('cuts the widest columns first', () => {
    expect(layoutTable(columns, rows, 50)).toStrictEqual([
      'ID   NAME           TYPE      MSGS  FOLDER',
      '1    Login test f…  user        44  /home/ana/shop',
      '22   杭州三日游计…  user         3',
      '333  Cafe\u0301 👩‍👩‍👧        gateway  1,000  /srv',
    ])
  })

  it('leaves out the least important columns where the narrow ones do not fit', () => {
    expect(layoutTable(columns, rows, 30)).toStrictEqual([
      'ID   NAME       TYPE      MSGS',
      '1    Login te…  user        44',
      '22   杭州三日…  user         3',
      '333  Cafe\u0301 👩‍👩‍👧    gateway  1,000',
    ])
    expect(layoutTable(columns, rows, 20)[1]).toBe('1    Login t…     44')
  })

  it('is never wider than asked for while columns give way', () => {
    for (let width = 20; width < 70; width++) {
      const lines = layoutTable(columns, rows, width)
      expect(lines.filter((line) => widthOf(line) > width)).toStrictEqual([])
    }
  })

  it('styles titles and cells behind the padding', () => {
    const bold = (text: string) => `<${text}>`
    const styled = [
      { title: 'A', style: bold },
      { title: 'N', align: 'right', style: bold },
    ] as const
    expect(
      layoutTable(
        styled,
        [
          ['x', '1'],
          ['', '22'],
        ],
        20,
        bold,
      ),
    ).toStrictEqual(['<A>   <N>', '<x>   <1>', '   <22>'])
  })
})
