// The port's methods by name, with a call of each that is well-formed. A spec that asks something of every method (after
// `close`, of missing ones) walks this list; it reads `capabilities.missing` first.

import type { SessionStore } from '@sess/core'
import { portMethods as methodsByPart } from '@sess/core/adapter'

type Parts = typeof methodsByPart

/** A method of the port that a store may lack, as `capabilities.missing` names it. */
export type PortMethod = { [Part in keyof Parts]: `${Part}.${Parts[Part][number]}` }[keyof Parts] | 'transact'

/** Every method of the port but `close`, in the port's order. */
export const portMethods: readonly PortMethod[] = [
  ...Object.entries(methodsByPart).flatMap(([part, names]) =>
    names.map((name) => `${part}.${name}` as PortMethod),
  ),
  'transact',
]

/** What every store has; specs use these without saying so. */
export const basicMethods: readonly PortMethod[] = [
  'sessions.create',
  'sessions.get',
  'messages.append',
  'messages.read',
]

/** A well-formed call of each method, to a session `s`, a message `m` and a thread `t`. */
export const sampleCalls: { readonly [method in PortMethod]: (store: SessionStore) => Promise<unknown> } = {
  'sessions.create': ({ sessions }) => sessions.create({ id: 's' }),
  'sessions.get': ({ sessions }) => sessions.get('s'),
  'sessions.list': ({ sessions }) => sessions.list(),
  'sessions.update': ({ sessions }) => sessions.update('s', { name: 'n' }),
  'sessions.addUsage': ({ sessions }) => sessions.addUsage('s', { input: 1 }),
  'sessions.current': ({ sessions }) => sessions.current({ channelType: 'cli', channelKey: 'k' }),
  'sessions.resetContext': ({ sessions }) => sessions.resetContext('s'),
  'sessions.fork': ({ sessions }) => sessions.fork('s'),
  'sessions.import': ({ sessions }) => sessions.import({}, []),
  'sessions.rewind': ({ sessions }) => sessions.rewind('s', { toSeq: 0 }),
  'sessions.remove': ({ sessions }) => sessions.remove('s'),
  'sessions.undelete': ({ sessions }) => sessions.undelete('s'),
  'messages.append': ({ messages }) => messages.append('s', [{ role: 'user', content: 'hi' }]),
  'messages.read': ({ messages }) => messages.read('s'),
  'messages.get': ({ messages }) => messages.get('s', 'm'),
  'messages.recentTurns': ({ messages }) => messages.recentTurns('s', { turns: 1 }),
  'messages.update': ({ messages }) => messages.update('s', 'm', { content: 'hi' }),
  'messages.remove': ({ messages }) => messages.remove('s', ['m']),
  'messages.replace': ({ messages }) => messages.replace('s', []),
  'messages.compact': ({ messages }) =>
    messages.compact('s', { throughSeq: 1, summary: { role: 'user', content: 'so far' } }),
  'messages.truncate': ({ messages }) => messages.truncate('s', { fromSeq: 1 }),
  'messages.clear': ({ messages }) => messages.clear('s'),
  'threads.create': ({ threads }) => threads.create({ name: 'n' }),
  'threads.get': ({ threads }) => threads.get('t'),
  'threads.list': ({ threads }) => threads.list(),
  'threads.update': ({ threads }) => threads.update('t', { name: 'n' }),
  'threads.remove': ({ threads }) => threads.remove('t'),
  'threads.attach': ({ threads }) => threads.attach('t', 's'),
  'threads.detach': ({ threads }) => threads.detach('t', 's'),
  'threads.sessions': ({ threads }) => threads.sessions('t'),
  'threads.timeline': ({ threads }) => threads.timeline('t'),
  'search.messages': ({ search }) => search.messages({ text: 'hi' }),
  'search.sessions': ({ search }) => search.sessions({ text: 'hi' }),
  'changes.since': ({ changes }) => changes.since(),
  'maintenance.stats': ({ maintenance }) => maintenance.stats(),
  'maintenance.check': ({ maintenance }) => maintenance.check(),
  'maintenance.optimize': ({ maintenance }) => maintenance.optimize(),
  'maintenance.vacuum': ({ maintenance }) => maintenance.vacuum(),
  'maintenance.reindex': ({ maintenance }) => maintenance.reindex(),
  'maintenance.backup': ({ maintenance }) => maintenance.backup('backup'),
  'maintenance.prune': ({ maintenance }) => maintenance.prune({ olderThan: 1 }),
  transact: (store) => store.transact(async () => undefined),
}
