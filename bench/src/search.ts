// Searches 100,000 messages of English, Chinese and code (another number as the argument), first and second pages, beside
// a plain `ORDER BY rank LIMIT 20` over the same index. The database is made once and kept in the folder for temporary files.

import { existsSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewMessage, SearchQuery } from '@sess/core'
import { openSqliteStore } from '@sess/sqlite'
import Database from 'better-sqlite3'
import { print } from './measure.ts'

const size = Number(process.argv[2] ?? 100_000)
const path = join(tmpdir(), `sess-bench-search-${size}.db`)
const sessionSize = 100

/** A small generator of its own, so that the corpus is always the same. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = createRandom(7)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
/** Of a vocabulary in the order of how common its words are. */
const common = (count: number) => Math.floor(count ** random()) - 1

const syllables = ['ta', 'ri', 'no', 'ke', 'lu', 'mo', 'shi', 'ver', 'con', 'ple']
const english = Array.from({ length: 20_000 }, (_, index) =>
  index === 0
    ? 'the'
    : index === 1
      ? 'session'
      : String(index).replaceAll(/\d/g, (digit) => syllables[Number(digit)] ?? ''),
)
const chinese = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + index * 6))

const englishText = (words: number) =>
  Array.from({ length: words }, () => english[common(english.length)]).join(' ')
const chineseText = (characters: number) =>
  Array.from({ length: characters }, () => chinese[common(chinese.length)]).join('')
const code = () =>
  `const ${pick(english)}${pick(['Store', 'List', 'Index'])} = await store.${pick(english)}_${pick(english)}('src/${pick(english)}/${pick(english)}.ts')\n`

function message(index: number): NewMessage {
  const rare = index % 9973 === 0 ? ' zanzibar' : ''
  const kind = index % 10
  if (kind < 4) return { role: kind % 2 === 0 ? 'user' : 'assistant', content: englishText(60) + rare }
  if (kind < 7)
    return {
      role: kind % 2 === 0 ? 'user' : 'assistant',
      content: `${chineseText(120)}。${chineseText(40)}${rare}`,
    }
  if (kind < 9)
    return {
      role: 'assistant',
      content: [
        { type: 'text', text: englishText(10) },
        { type: 'tool_use', id: 'u', name: 'bash', input: { command: code() } },
      ],
    }
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'u', content: Array.from({ length: 12 }, code).join('') }],
  }
}

async function build(): Promise<void> {
  const making = `${path}.making-${process.pid}`
  const store = await openSqliteStore({ path: making })
  let start = performance.now()
  for (let first = 0; first < size; first += sessionSize) {
    const messages = Array.from({ length: sessionSize }, (_, index) => message(first + index))
    const name = englishText(4)
    await store.messages.append(`s${first / sessionSize}`, messages, { createSession: { name } })
  }
  print(`${size} messages stored in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  start = performance.now()
  await store.search.messages({ text: 'zanzibar' })
  print(`indexed by the first search in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  await store.close()
  renameSync(making, path)
}

if (!existsSync(path)) await build()
const store = await openSqliteStore({ path })
const raw = new Database(path, { readonly: true })

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** Median milliseconds, by the clock and of the processor: on a busy machine the second says more. */
async function times(work: () => unknown): Promise<string> {
  const found: number[] = []
  const used: number[] = []
  for (let round = 0; round < 9; round++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(before)
    found.push(performance.now() - start)
    used.push((user + system) / 1000)
  }
  return `${median(found).toFixed(1)} (${median(used).toFixed(1)})`
}

const asked: readonly (readonly [
  name: string,
  query: Partial<SearchQuery> & { readonly text: string },
  match?: string,
])[] = [
  ['rare word', { text: 'zanzibar' }, '"zanzibar"'],
  ['no match', { text: 'zanzibarless' }, '"zanzibarless"'],
  ['commonest word', { text: 'the' }, '"the"'],
  ['two characters', { text: `${chinese[0]}${chinese[1]}` }, `"${chinese[0]}${chinese[1]}"`],
  ['one character', { text: chinese[0] ?? '' }, `"${chinese[0]}" *`],
  ['common AND common', { text: 'the session' }, '"the" AND "session"'],
  ['common AND rare', { text: 'the zanzibar' }, '"the" AND "zanzibar"'],
  ['prefix', { text: 'sess*' }, '"sess" *'],
  ['short prefix', { text: 't*' }, '"t" *'],
  ['phrase', { text: '"the session"' }, '"the session"'],
  ['camelCase, path', { text: 'riStore src/no' }],
  ['most recent', { text: 'the', sort: 'recent' }],
  ['in a session', { text: 'the', sessionId: 's5' }],
  ['of a role', { text: 'the role:user' }],
  ['filters alone', { text: 'tool:bash' }],
]
for (const [name, query, match] of asked) {
  const limited = { limit: 20, ...query }
  const first = await store.search.messages(limited)
  const { nextCursor: cursor } = first
  const one = await times(() => store.search.messages(limited))
  const two =
    cursor === undefined ? undefined : await times(() => store.search.messages({ ...limited, cursor }))
  const sessions = await times(() => store.search.sessions(limited))
  const ranked =
    match && raw.prepare('SELECT rowid FROM messages_fts WHERE messages_fts MATCH ? ORDER BY rank LIMIT 20')
  const plain = ranked ? await times(() => ranked.all(match)) : undefined
  const show = (time: string | undefined) => (time ?? '-').padStart(16)
  print(
    `${name.padEnd(18)} first ${show(one)} ms, second ${show(two)} ms, sessions ${show(sessions)} ms, by rank ${show(plain)} ms`,
  )
}
raw.close()
await store.close()
