// A harness with everything a harness may have, over the memory store: handles are thin, with a `close` of their own, and
// share one store. It stands for a file with several handles, so that every spec runs here, and every broken store too.

import type { Message, SessionStore, StoreOptions } from '@sess/core'
import { StoreError } from '@sess/core'
import { Operations } from '@sess/core/adapter'
import { createMemoryStore } from '@sess/core/memory'
import { portMethods, type StoreHarness } from '../src/index.ts'

type Call = (...input: never[]) => Promise<unknown>

/** Makes a harness whose stores went through `change` first; unchanged unless given. */
export function createSharedMemoryHarness(
  name = 'shared memory',
  change: (store: SessionStore, options: StoreOptions) => SessionStore = (store) => store,
): StoreHarness {
  return {
    name,
    async open(options) {
      const data = createMemoryStore(options)
      const shared = change(data, options)
      const damaged = new Set<string>()
      const open = () => openHandle(shared, damaged)
      let store = open()
      return {
        store,
        async reopen() {
          await store.close()
          store = open()
          return store
        },
        peer: async () => open(),
        async damage({ sessionId, messageId }) {
          damaged.add(JSON.stringify([sessionId, messageId]))
        },
        dispose: () => data.close(),
      }
    },
  }
}

/** One handle: what it is asked goes to the shared store until it is closed; damaged messages are taken out. */
export function openHandle(shared: SessionStore, damaged: ReadonlySet<string>): SessionStore {
  const operations = new Operations()
  const forward = (method: string, call: Call): Call => {
    return (...input) => operations.run(method, () => call(...input))
  }
  const part = <Part extends object>(partName: string, methods: Part): Part =>
    Object.fromEntries(
      portMethods
        .filter((method) => method.startsWith(`${partName}.`))
        .map((method) => method.slice(partName.length + 1))
        .map((key) => [
          key,
          forward(`${partName}.${key}`, (methods as { [key: string]: Call })[key] as Call),
        ]),
    ) as Part
  const close = async () => {
    await operations.close()
  }
  return {
    backend: shared.backend,
    capabilities: shared.capabilities,
    sessions: part('sessions', shared.sessions),
    messages: part('messages', withDamage(shared.messages, damaged)),
    threads: part('threads', shared.threads),
    search: part('search', shared.search),
    changes: part('changes', shared.changes),
    maintenance: part('maintenance', shared.maintenance),
    transact: forward('transact', shared.transact as Call) as SessionStore['transact'],
    close,
    [Symbol.asyncDispose]: close,
  }
}

function withDamage(
  messages: SessionStore['messages'],
  damaged: ReadonlySet<string>,
): SessionStore['messages'] {
  const isDamaged = ({ sessionId, id }: Message) => damaged.has(JSON.stringify([sessionId, id]))
  const sorted = (rows: readonly Message[]) => {
    const broken = rows.filter(isDamaged).map(({ seq }) => ({ seq, reason: 'content is not JSON' }))
    return {
      readable: rows.filter((row) => !isDamaged(row)),
      report: broken.length ? { damaged: broken } : {},
    }
  }
  return {
    ...messages,
    async read(id, range) {
      const page = await messages.read(id, range)
      const { readable, report } = sorted(page.items)
      return { ...page, items: readable, ...report }
    },
    async get(id, messageId) {
      const message = await messages.get(id, messageId)
      if (message && isDamaged(message)) throw new StoreError('corrupt', `message ${message.seq} is damaged`)
      return message
    },
    async recentTurns(id, options) {
      const window = await messages.recentTurns(id, options)
      const { readable, report } = sorted(window.messages)
      return { ...window, messages: readable, ...report }
    },
  }
}
