// A harness with everything a harness may have, over the memory store: handles are thin, with a `close` of their own, and
// share one store. It stands for a file with several handles, so that every spec runs here, and every broken store too.

import type { Message, MessagePage, SessionStore, StoreOptions } from '@sess/core'
import { StoreError } from '@sess/core'
import { Operations, outcomeOf, TransactionGate, transactWith } from '@sess/core/adapter'
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
export function openHandle(shared: SessionStore, damaged: Set<string>): SessionStore {
  const gate = new TransactionGate(5000, 'the handle')
  const operations = new Operations({ gate })
  const forward = (method: string, call: Call): Call => {
    return (...input) =>
      operations.call(
        method,
        () => {
          // At once: the shared store reads what it is given, and waits by itself.
          const answer = call(...input)
          answer.catch(() => undefined)
          return [answer]
        },
        ([answer]) => answer,
      )
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
    sessions: {
      ...part('sessions', shared.sessions),
      // Its messages are read by the handle, which must not be closed by them.
      import: (...input) =>
        operations.callReading(
          'sessions.import',
          () => shared.sessions.import(...input),
          (receipt) => receipt,
        ),
    },
    messages: part('messages', withDamage(shared.messages, damaged)),
    threads: part('threads', {
      ...shared.threads,
      timeline: withoutDamaged(shared.threads.timeline, damaged),
    }),
    search: part('search', shared.search),
    changes: part('changes', shared.changes),
    maintenance: part('maintenance', shared.maintenance),
    transact: (work) =>
      transactWith(operations, work, () => gate.run(() => outcomeOf(() => shared.transact(work)))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A method that answers a page of messages, the damaged ones taken out and reported. */
function withoutDamaged<Input extends unknown[]>(
  method: (...input: Input) => Promise<MessagePage>,
  damaged: ReadonlySet<string>,
): (...input: Input) => Promise<MessagePage> {
  return async (...input) => {
    const page = await method(...input)
    const { readable, report } = sortOut(page.items, damaged)
    return { ...page, items: readable, ...report }
  }
}

function sortOut(rows: readonly Message[], damaged: ReadonlySet<string>) {
  const isDamaged = ({ sessionId, id }: Message) => damaged.has(JSON.stringify([sessionId, id]))
  const broken = rows.filter(isDamaged).map(({ seq }) => ({ seq, reason: 'content is not JSON' }))
  return {
    readable: rows.filter((row) => !isDamaged(row)),
    report: broken.length ? { damaged: broken } : {},
  }
}

function withDamage(messages: SessionStore['messages'], damaged: Set<string>): SessionStore['messages'] {
  const refuse = (sessionId: string, messageId: string) => {
    if (damaged.size > 0 && damaged.has(JSON.stringify([sessionId, messageId]))) {
      throw new StoreError('corrupt', `message "${messageId}" is damaged`)
    }
  }
  return {
    ...messages,
    read: withoutDamaged(messages.read, damaged),
    async get(id, messageId) {
      refuse(id, messageId)
      return messages.get(id, messageId)
    },
    async recentTurns(id, options) {
      const { summary, ...window } = await messages.recentTurns(id, options)
      const head = sortOut(summary === undefined ? [] : [summary], damaged)
      const rows = sortOut(window.messages, damaged)
      const broken = [...(head.report.damaged ?? []), ...(rows.report.damaged ?? [])]
      return {
        ...window,
        messages: rows.readable,
        ...(head.readable[0] === undefined ? {} : { summary: head.readable[0] }),
        ...(broken.length > 0 ? { damaged: broken } : {}),
      }
    },
    async update(id, messageId, patch) {
      if (damaged.size > 0 && (patch.content === undefined || patch.metadata === undefined))
        refuse(id, messageId)
      const message = await messages.update(id, messageId, patch)
      if (damaged.size > 0) damaged.delete(JSON.stringify([id, messageId]))
      return message
    },
  }
}
