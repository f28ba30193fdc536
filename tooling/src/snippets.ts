// What a user of each package writes first; run and type-checked against the packed package alone.

export interface Snippet {
  /** A program in TypeScript that Node can run as it stands, and what it prints. */
  readonly program?: string
  readonly prints?: string
  /** Arguments of the package's command, and what it prints. */
  readonly commands?: readonly (readonly [readonly string[], RegExp])[]
}

const conversation = `
await store.messages.append('s', [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' }], { createSession: true })
const { items } = await store.messages.read('s')
process.stdout.write(items.map((message) => message.role).join(' '))
await store.close()
`

export const snippets: Readonly<Record<string, Snippet>> = {
  '@sess/core': {
    program: `
import { isStoreError, restoreConversation, type SessionStore } from '@sess/core'
import { planAppend } from '@sess/core/adapter'
import { createMemoryStore } from '@sess/core/memory'
const store: SessionStore = createMemoryStore()
await store.messages.append('s', [{ role: 'user', content: 'hi' }], { createSession: true })
const { messages } = await restoreConversation(store, 's')
const missing: unknown = await store.messages.append('none', []).catch((error: unknown) => error)
process.stdout.write([messages.length, isStoreError(missing) && missing.code, typeof planAppend].join(' '))
`,
    prints: '1 not-found function',
  },
  '@sess/kysely': {
    program: `
import { migrationSql, schemaVersion } from '@sess/kysely'
process.stdout.write([schemaVersion, migrationSql({ tablePrefix: 'app_' }).includes('CREATE TABLE app_sessions')].join(' '))
`,
    prints: '1 true',
  },
  '@sess/sqlite': {
    program: `
import { openSqliteStore } from '@sess/sqlite'
const store = await openSqliteStore({ path: 'data/sess.db' })${conversation}`,
    prints: 'user assistant',
  },
  '@sess/connect': {
    program: `
import { openStore } from '@sess/connect'
const store = await openStore('sqlite:sess.db')${conversation}`,
    prints: 'user assistant',
  },
  '@sess/interop': {
    program: `
import { readHistory } from '@sess/interop'
const [first] = readHistory('{"role":"user","content":"hi"}\\n')
process.stdout.write(String(first?.messages.length))
`,
    prints: '1',
  },
  '@sess/conformance': {
    program: `
import { runSpec, storeSpecs, type StoreHarness } from '@sess/conformance'
import { createMemoryStore } from '@sess/core/memory'
const harness: StoreHarness = {
  name: 'memory',
  async open(options) {
    const store = createMemoryStore(options)
    return { store, dispose: () => store.close() }
  },
}
const [spec] = storeSpecs
if (spec === undefined) throw new Error('no specs')
const { outcome } = await runSpec(spec, harness)
process.stdout.write(outcome)
`,
    prints: 'passed',
  },
  '@sess/cli': {
    commands: [
      [['--version'], /^\d+\.\d+\.\d+\n$/],
      [['--db', 'sess.db', 'new', '--id', 'a'], /^a\n$/],
      [['--db', 'sess.db', '--json', 'list'], /"id":\s*"a"/],
      [['demo'], /What the agent gets back/],
    ],
  },
}
