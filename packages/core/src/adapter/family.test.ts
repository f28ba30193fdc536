import { expect, test } from 'vitest'
import { familyOf } from './family.ts'

type Row = Parameters<typeof familyOf>[0]['row']

let rowId = 0
/** Each is made after those before. */
const held = (id: string, row: Partial<Row> = {}) => ({
  row: {
    id,
    rowId: ++rowId,
    ownerId: 'ana',
    sessionType: 'sub_agent',
    parentSessionId: null,
    branchOf: null,
    ...row,
  } as Row,
})

test('sub-agents, hidden sessions and branches go along, whatever is below them too, each after its own', () => {
  const older = held('older', { ownerId: '', parentSessionId: 'root' })
  const root = held('root', { sessionType: 'user' })
  const sessions = [
    older,
    held('grandchild', { parentSessionId: 'child' }),
    root,
    held('child', { parentSessionId: 'root' }),
    held('branch', { sessionType: 'hidden', branchOf: 'root' }),
    held('nobodys', { ownerId: '', parentSessionId: 'branch' }),
    held('user', { sessionType: 'user', parentSessionId: 'root' }),
    held('below-user', { parentSessionId: 'user' }),
    held('others', { ownerId: 'bo', parentSessionId: 'root' }),
    held('below-others', { parentSessionId: 'others' }),
    held('alone'),
  ]
  expect(familyOf(root, sessions).map(({ row }) => row.id)).toEqual([
    'root',
    'child',
    'branch',
    'grandchild',
    'nobodys',
  ])
})

test('a ring ends', () => {
  const root = held('root', { parentSessionId: 'child' })
  const child = held('child', { parentSessionId: 'root', branchOf: 'root' })
  expect(familyOf(root, [root, child])).toEqual([root, child])
})
