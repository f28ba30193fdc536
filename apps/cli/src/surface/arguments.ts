// Readers of flag values. What is wrong here is a usage error, before any store is opened.

import type { Role, SessionType } from '@sess/core'
import { type Command, InvalidArgumentError } from 'commander'
import { usageError } from '../failure.ts'
import type { Work } from '../program.ts'

/** Runs a command's work with its context. */
export type Run = (command: Command, work: Work) => Promise<void>

// Records, so that a new type or role does not compile without being listed here; core itself would take long to load.
const types: Readonly<Record<SessionType, true>> = {
  user: true,
  scheduled: true,
  sub_agent: true,
  hidden: true,
  terminal: true,
  gateway: true,
  acp: true,
}
const roles: Readonly<Record<Role, true>> = { system: true, user: true, assistant: true, tool: true }

export const sessionTypes: readonly string[] = Object.keys(types)
export const messageRoles: readonly string[] = Object.keys(roles)

/** A whole number of at least 1. */
export function readCount(value: string): number {
  return readWhole(value, 1)
}

/** How many a page may have, the value of --limit. */
export function readPageLimit(value: string): number {
  const limit = /^\d{1,15}$/.test(value) ? Number(value) : 0
  if (limit < 1 || limit > 1000) throw usageError('--limit takes 1 to 1000')
  return limit
}

/** The number of a message, or 0 for none. */
export function readSeq(value: string): number {
  return readWhole(value, 0)
}

function readWhole(value: string, least: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : -1
  if (number < least) throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
  return number
}

/** Types between commas; the flag may also be repeated. */
export function readTypes(value: string, before: readonly SessionType[] = []): readonly SessionType[] {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !Object.hasOwn(types, name))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is none of ${sessionTypes.join(', ')}.`)
  }
  return [...before, ...(names as SessionType[])]
}

/** A role; the flag may be repeated. */
export function readRoles(value: string, before: readonly Role[] = []): readonly Role[] {
  if (!Object.hasOwn(roles, value)) {
    throw new InvalidArgumentError(`"${value}" is none of ${messageRoles.join(', ')}.`)
  }
  return [...before, value as Role]
}

/** A flag that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
