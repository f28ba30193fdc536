// Stores that keep messages wrongly.

import type { Message, NewMessage } from '@sess/core'
import { type BrokenStore, replace } from './broken-store.ts'

/** The messages with each string and object in their content changed. */
function mapContent(messages: readonly NewMessage[], change: (value: unknown) => unknown): NewMessage[] {
  const walk = (value: unknown): unknown => {
    const changed = change(value)
    if (Array.isArray(changed)) return changed.map(walk)
    if (typeof changed !== 'object' || changed === null) return changed
    return Object.fromEntries(Object.entries(changed).map(([key, member]) => [key, walk(member)]))
  }
  return messages.map((message) => {
    // Only what is well-formed is changed: the store's own checks are not what is broken here.
    try {
      return JSON.parse(JSON.stringify(message)) && { ...message, content: walk(message.content) as string }
    } catch {
      return message
    }
  })
}

export const brokenMessages: readonly BrokenStore[] = [
  {
    name: 'stores a batch in the reverse order',
    fails: ['MSG-01', 'MSG-03', 'MSG-41'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(id, Array.isArray(messages) ? messages.toReversed() : messages, options),
        },
      }),
  },
  {
    name: 'orders messages by their times',
    fails: ['MSG-03'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async read(id, range) {
            const page = await store.messages.read(id, range)
            return { ...page, items: page.items.toSorted((a, b) => a.createdAt - b.createdAt) }
          },
        },
      }),
  },
  {
    name: 'numbers rows by their place, so that seqs are used again',
    fails: ['IMP-01', 'IMP-04', 'IMP-41'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async read(id, range) {
            const page = await store.messages.read(id, range)
            const first = page.items[0]?.seq === 1
            return {
              ...page,
              items: first
                ? page.items.map((row, index) => ({ ...row, seq: index + 1 }))
                : page.items.map((row, index) => ({ ...row, seq: (range?.fromSeq ?? 1) + index })),
            }
          },
        },
      }),
  },
  {
    name: 'stores a batch message by message, so that a bad one leaves those before it',
    fails: ['MSG-04', 'MSG-26', 'VAL-30'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async append(id, messages, options) {
            if (!Array.isArray(messages) || messages.length < 2)
              return store.messages.append(id, messages, options)
            const stored: Message[] = []
            let version = 0
            for (const message of messages) {
              const receipt = await store.messages.append(id, [message], options)
              stored.push(...receipt.messages)
              version = receipt.version
            }
            return { version, messages: stored }
          },
        },
      }),
  },
  {
    name: 'answers null for a message that is not there',
    fails: ['MSG-70', 'SES-65'],
    wrap: (store) =>
      replace(store, {
        messages: {
          get: async (id, messageId) => (await store.messages.get(id, messageId)) ?? (null as never),
        },
      }),
  },
  {
    name: 'drops own keys __proto__, as zod does',
    fails: ['VAL-04', 'VAL-20'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(id, mapContent(messages, withoutProto), options),
        },
      }),
  },
  {
    name: 'sorts the keys of objects',
    fails: ['VAL-04', 'VAL-07'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(id, mapContent(messages, sortKeys), options),
        },
      }),
  },
  {
    name: 'cuts text at its first NUL',
    fails: ['VAL-01', 'VAL-02'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(
              id,
              mapContent(messages, (value) => (typeof value === 'string' ? value.split('\u0000')[0] : value)),
              options,
            ),
        },
      }),
  },
  {
    name: 'writes lone surrogates as U+FFFD',
    fails: ['VAL-01', 'VAL-07'],
    wrap: (store) =>
      replace(store, {
        messages: {
          append: (id, messages, options) =>
            store.messages.append(
              id,
              mapContent(messages, (value) => (typeof value === 'string' ? value.toWellFormed() : value)),
              options,
            ),
        },
      }),
  },
  {
    name: 'writes when it is read',
    fails: ['MSG-71', 'TRN-88'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async read(id, range) {
            const page = await store.messages.read(id, range)
            const session = await store.sessions.get(id)
            if (session && session.deletedAt === undefined)
              await store.sessions.update(id, { tags: session.tags })
            return page
          },
        },
      }),
  },
  {
    name: 'fills pages of messages to the limit, however large',
    fails: ['MSG-66', 'MSG-67', 'MSG-68', 'MSG-69'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async read(id, range) {
            const page = await store.messages.read(id, range)
            if (page.nextCursor === undefined || page.items.length >= (range?.limit ?? 50)) return page
            const next = await store.messages.read(id, { ...range, cursor: page.nextCursor })
            return { ...next, items: [...page.items, ...next.items] }
          },
        },
      }),
  },
  {
    name: 'gives whole rows in text mode',
    fails: ['TRN-20', 'TRN-21', 'TRN-11'],
    wrap: (store) =>
      replace(store, {
        messages: {
          recentTurns: (id, options) => store.messages.recentTurns(id, { ...options, mode: 'full' }),
        },
      }),
  },
  {
    name: 'gives turns from the beginning, whatever the context is',
    fails: ['TRN-30', 'TRN-33', 'TRN-37'],
    wrap: (store) =>
      replace(store, {
        messages: {
          recentTurns: (id, options) => store.messages.recentTurns(id, { ...options, scope: 'all' }),
        },
      }),
  },
  {
    name: 'counts a window in messages and splits turns',
    fails: ['TRN-03', 'TRN-11'],
    wrap: (store) =>
      replace(store, {
        messages: {
          async recentTurns(id, options) {
            const window = await store.messages.recentTurns(id, options)
            return { ...window, messages: window.messages.slice(-options.turns) }
          },
        },
      }),
  },
]

function withoutProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'))
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
