// Tiers: how much of the port a store has. A backend can begin with tier A and be of use; each tier holds those before it.
// The tier of a spec is not written down: it is that of the methods the spec needs.

import type { PortMethod } from './methods.ts'
import type { Spec } from './spec.ts'

export const tiers = ['A', 'B', 'C', 'D'] as const

export type Tier = (typeof tiers)[number]

/** What each tier adds. */
export const tierTitles: { readonly [tier in Tier]: string } = {
  A: 'sessions: create, get, list, update, remove; messages: append, read, get, recentTurns',
  B: 'all else of sessions and messages, threads, the change feed, transactions',
  C: 'search',
  D: 'maintenance',
}

const firstTier: readonly PortMethod[] = [
  'sessions.create',
  'sessions.get',
  'sessions.list',
  'sessions.update',
  'sessions.remove',
  'messages.append',
  'messages.read',
  'messages.get',
  'messages.recentTurns',
]

/** The tier a method of the port belongs to. */
export function tierOfMethod(method: PortMethod): Tier {
  if (method.startsWith('search.')) return 'C'
  if (method.startsWith('maintenance.')) return 'D'
  return firstTier.includes(method) ? 'A' : 'B'
}

/** The tier a spec belongs to: the highest of the methods it needs. */
export function tierOf({ needs = [] }: Pick<Spec, 'needs'>): Tier {
  const needed = needs.map(tierOfMethod)
  return tiers.findLast((tier) => needed.includes(tier)) ?? 'A'
}

/** Whether a tier is held by another one. */
export function isWithin(tier: Tier, limit: Tier): boolean {
  return tier <= limit
}
