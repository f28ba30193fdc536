// Remembers what each method of a store was called with, so that a report can say it. A call goes through as it came and
// answers the very promise that the store answered: specs look closely at both.

import { inspect } from 'node:util'
import type { SessionStore, StoreScope } from '@sess/core'
import { portMethods } from '@sess/core/adapter'

const calls = new WeakMap<object, { readonly method: string; readonly input: readonly unknown[] }>()

/** The store, with calls that {@link callOf} can tell. */
export function traced(store: SessionStore): SessionStore {
  return {
    backend: store.backend,
    capabilities: store.capabilities,
    ...tracedScope(store),
    search: tracedPart(store.search, 'search'),
    changes: tracedPart(store.changes, 'changes'),
    maintenance: tracedPart(store.maintenance, 'maintenance'),
    transact: (work) =>
      store.transact(typeof work === 'function' ? (scope) => work(tracedScope(scope)) : (work as never)),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** `sessions.get('s')`: what was called, where a traced store answered this promise. */
export function callOf(promise: unknown): string | undefined {
  const call = promise instanceof Promise ? calls.get(promise) : undefined
  return call && `${call.method}(${call.input.map(written).join(', ')})`
}

function tracedScope(scope: StoreScope): StoreScope {
  return {
    sessions: tracedPart(scope.sessions, 'sessions'),
    messages: tracedPart(scope.messages, 'messages'),
    threads: tracedPart(scope.threads, 'threads'),
  }
}

function tracedPart<Methods extends object>(given: Methods, part: keyof typeof portMethods): Methods {
  const methods = given as { readonly [name: string]: (...input: unknown[]) => unknown }
  const call =
    (name: string) =>
    (...input: unknown[]) => {
      const answer = methods[name]?.(...input)
      if (answer instanceof Promise) calls.set(answer, { method: `${part}.${name}`, input })
      return answer
    }
  const present = portMethods[part].filter((name) => typeof methods[name] === 'function')
  return Object.fromEntries(present.map((name) => [name, call(name)])) as Methods
}

/** In one line, cut; getters and the traps of proxies are left alone. */
function written(value: unknown): string {
  return inspect(value, {
    depth: 4,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    maxStringLength: 60,
    maxArrayLength: 5,
  })
}
