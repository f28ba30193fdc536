// Every list filter that has an index walks it, on the first page and far behind: the last page of a million sessions
// costs what the first does.

import type { SessionQuery } from '@sess/core'
import { planList } from '@sess/core/adapter'
import { describe, expect, test } from 'vitest'
import { changesAfter, feedBounds } from '../src/changes.ts'
import { listStatement } from '../src/sql/list.ts'
import { allSteps, plan, tagsOfSession } from './plan-of.ts'
import { openMemory } from './support.ts'

/** The index and what leads into it, of the first page and of a page far behind. */
function listPlan(query: SessionQuery): readonly string[] {
  const first = planList(query)
  const later = planList({
    ...query,
    cursor: first.cursorAt({ phase: first.pinnedFirst ? 0 : null, time: 500, rowId: 9 }),
  })
  return [first, later].map((list) => {
    const steps = plan(listStatement(list, list.pinnedFirst ? (list.after ? 0 : 1) : null))
    const reads = steps.filter((step) => step !== tagsOfSession && !/rowid=\?/.test(step))
    return [...new Set(reads)]
      .join(' | ')
      .replaceAll('COVERING INDEX', 'INDEX')
      .replaceAll(/(SCAN|SEARCH) (s|sessions) USING INDEX /g, '')
  })
}

describe('list, first page and last', () => {
  test.each<[string, SessionQuery, readonly [string, string]]>([
    ['plain', {}, ['sessions_active', 'sessions_active (last_active_at<?)']],
    ['oldest first', { order: 'asc' }, ['sessions_active', 'sessions_active (last_active_at>?)']],
    ['by creation', { sort: 'created' }, ['sessions_created', 'sessions_created (created_at<?)']],
    [
      'a span of time',
      { since: 5, until: 900 },
      [
        'sessions_active (last_active_at>? AND last_active_at<?)',
        'sessions_active (last_active_at>? AND last_active_at<?)',
      ],
    ],
    [
      'one type',
      { types: ['scheduled'] },
      ['sessions_type (session_type=?)', 'sessions_type (session_type=? AND last_active_at<?)'],
    ],
    [
      'several types: one walk each, merged',
      { types: ['scheduled', 'sub_agent'] },
      ['sessions_type (session_type=?)', 'sessions_type (session_type=? AND last_active_at<?)'],
    ],
    [
      'every type',
      { types: 'all' },
      ['sessions_type (session_type=?)', 'sessions_type (session_type=? AND last_active_at<?)'],
    ],
    [
      'archived or not',
      { archived: 'any' },
      ['sessions_type (session_type=?)', 'sessions_type (session_type=? AND last_active_at<?)'],
    ],
    ['archived', { archived: true }, ['sessions_archived', 'sessions_archived (last_active_at<?)']],
    ['the trash', { deleted: true }, ['sessions_deleted', 'sessions_deleted (last_active_at<?)']],
    ['pinned', { pinned: true }, ['sessions_pinned', 'sessions_pinned (last_active_at<?)']],
    ['pinned first', { pinnedFirst: true }, ['sessions_pinned', 'sessions_active (last_active_at<?)']],
    [
      'of an owner',
      { ownerId: 'ana' },
      ['sessions_owner (owner_id=?)', 'sessions_owner (owner_id=? AND last_active_at<?)'],
    ],
    [
      'children',
      { parentSessionId: 'p' },
      ['sessions_parent (parent_session_id=?)', 'sessions_parent (parent_session_id=? AND last_active_at<?)'],
    ],
  ])('%s', (_name, query, expected) => {
    expect(listPlan(query)).toEqual(expected)
  })

  // These find few rows each and sort them: what matters is that they find them by their index.
  test.each<[string, SessionQuery, string]>([
    ['branches', { branchOf: 'p' }, 'SEARCH s USING INDEX sessions_branch (branch_of=?)'],
    [
      'a chat of a channel',
      { channelType: 'cli', channelKey: 'k' },
      'SEARCH s USING INDEX sessions_channel (channel_type=? AND channel_key=?)',
    ],
    [
      'the source of an import',
      { sourceSessionId: 'x', sourceAgent: 'goose' },
      'SEARCH s USING INDEX sessions_source (source_session_id=? AND source_agent=?)',
    ],
  ])('%s', (_name, query, expected) => {
    expect(allSteps(listStatement(planList(query), null))).toContain(expected)
  })

  test('tags, threads and metadata are looked up for each candidate, by key', () => {
    const steps = allSteps(listStatement(planList({ tags: ['a'], threadId: 't' }), null))
    // Newer SQLites say EXISTS where older ones say nothing.
    expect(steps.map((step) => step.replace(' EXISTS', '')).slice(0, 3)).toEqual([
      'SCAN s USING INDEX sessions_active',
      'SEARCH t USING COVERING INDEX sqlite_autoindex_thread_sessions_1 (thread_id=? AND session_id=?)',
      'SEARCH g USING COVERING INDEX sqlite_autoindex_session_tags_1 (session_id=? AND tag=?)',
    ])
  })

  test('with 10,000 hidden sessions in front, steps over none of them', async () => {
    const { store, database: handle } = await openMemory()
    const insert = handle.prepare(
      `INSERT INTO sessions (id, name, name_folded, name_source, session_type, created_at, updated_at, last_active_at, change_seq)
       VALUES (?, 'n', 'n', 'default', ?, ?, 0, ?, ?)`,
    )
    handle.transaction(() => {
      for (let index = 1; index <= 10_000; index++)
        insert.run(`h${index}`, 'hidden', index + 100, index + 100, index)
      for (let index = 1; index <= 3; index++) insert.run(`u${index}`, 'user', index, index, 10_000 + index)
    })()
    let stepped = 0
    handle.function('step', { deterministic: false }, () => {
      stepped++
      return 1
    })
    const { sql, parameters } = listStatement(planList({}), null)
    const counting = sql.replace(' WHERE s.', ' WHERE step() AND s.')
    expect(handle.prepare(counting).all(...parameters)).toHaveLength(3)
    expect(stepped).toBe(3)
    await store.close()
  })
})

describe('the change feed', () => {
  test('walks two indexes side by side and sorts nothing', () => {
    expect(plan(changesAfter(500, 50))).toEqual([
      'SEARCH sessions USING INDEX sessions_change (change_seq>? AND change_seq<?)',
      'SEARCH session_tombstones USING INDEX session_tombstones_change (change_seq>? AND change_seq<?)',
    ])
    expect(plan(feedBounds).map((step) => step.replace('COVERING INDEX', 'INDEX'))).toEqual([
      'SEARCH sessions USING INDEX sessions_change (change_seq<?)',
      'SEARCH session_tombstones USING INDEX session_tombstones_change (change_seq<?)',
      'SEARCH schema_meta USING INDEX sqlite_autoindex_schema_meta_1 (key=?)',
    ])
  })
})
