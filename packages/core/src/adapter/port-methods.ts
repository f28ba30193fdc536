// The port's methods by part, for stores that do not have all of them.

import { unsupported } from '../errors.ts'

/** Every method of the port but `transact` and `close`. */
export const portMethods = {
  sessions: [
    'create',
    'get',
    'list',
    'update',
    'addUsage',
    'current',
    'resetContext',
    'fork',
    'import',
    'rewind',
    'remove',
    'undelete',
  ],
  messages: [
    'append',
    'read',
    'get',
    'recentTurns',
    'update',
    'remove',
    'replace',
    'compact',
    'truncate',
    'clear',
  ],
  threads: ['create', 'get', 'list', 'update', 'remove', 'attach', 'detach', 'sessions', 'timeline'],
  search: ['messages', 'sessions'],
  changes: ['since'],
  maintenance: ['stats', 'check', 'optimize', 'vacuum', 'reindex', 'backup', 'prune'],
} as const

/** Methods that a store does not have: each rejects with `unsupported`. */
export function missingMethods<Name extends string>(
  backend: string,
  part: keyof typeof portMethods,
  names: readonly Name[],
): { readonly [name in Name]: () => Promise<never> } {
  const reject = (name: string) => async (): Promise<never> => {
    throw unsupported(`${part}.${name}`, backend)
  }
  return Object.fromEntries(names.map((name) => [name, reject(name)])) as {
    readonly [name in Name]: () => Promise<never>
  }
}
