// Options every opener takes, and what they come to.

import { z } from 'zod'
import { StoreError } from './errors.ts'
import { createDayOf, createIds, type IdGenerator } from './ids.ts'
import { check } from './input/check.ts'
import { messageIdSchema, sessionIdSchema } from './input/schemas.ts'
import type { Locale } from './restore/text.ts'

/** What a store tells of; pino's loggers fit. Message text is never logged. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Options of every store. */
export interface StoreOptions {
  /** Epoch milliseconds; `Date.now` unless given. */
  readonly clock?: () => number
  readonly ids?: IdGenerator
  /** Stands before date ids, `laptop-20260301_4`, so that two devices never make the same. */
  readonly idPrefix?: string
  /** The day in date ids; UTC unless given. An IANA name. */
  readonly timeZone?: string
  /** Default names, copy suffixes and placeholders; "en" unless given. */
  readonly locale?: Locale
  /** Silent unless given. */
  readonly logger?: Logger
}

/** Options with defaults filled in. */
export interface StoreContext {
  readonly now: () => number
  readonly ids: IdGenerator
  /** The day part of a date id. */
  readonly dayOf: (now: number) => string
  /** The zone of days: an IANA name. */
  readonly timeZone: string
  readonly locale: Locale
  readonly logger: Logger
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const isFunction = (value: unknown) => typeof value === 'function'

/** Whether a value has these methods, its own or inherited. */
function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if (value === null || (typeof value !== 'object' && !isFunction(value))) return false
  return names.every((name) => isFunction((value as { readonly [name: string]: unknown })[name]))
}

const isIdGenerator = (value: unknown) =>
  hasMethods(value, 'message') && ((value as IdGenerator).session === 'date' || hasMethods(value, 'session'))

/** The longest a timer takes; with more it ends at once. */
const longestTimeout = 2_147_483_647

const schema = z.looseObject({
  clock: z.custom(isFunction, 'must be a function that answers epoch milliseconds').optional(),
  ids: z.custom(isIdGenerator, 'must have message(now), and session(now) or "date"').optional(),
  logger: z
    .custom(
      (value) => hasMethods(value, 'debug', 'info', 'warn', 'error'),
      'must have debug, info, warn and error',
    )
    .optional(),
  busyTimeout: z.number().min(0).max(longestTimeout).optional(),
  maxMessageBytes: z.number().int().min(1).optional(),
  idPrefix: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"')
    .optional(),
  timeZone: z.string().optional(),
  locale: z.enum(['en', 'zh']).optional(),
})

/** A clock of fractions (`performance.now`) would make ids and times no integer column holds. */
function wholeMilliseconds(clock: () => number): () => number {
  return () => {
    const now = clock()
    if (typeof now === 'number' && Math.abs(now) <= 8.64e15) return Math.floor(now)
    throw new StoreError('invalid', `options.clock: must answer epoch milliseconds, answered ${String(now)}`)
  }
}

/** A caller's generator, held to what ids a caller may give. */
function checkedIds(ids: IdGenerator): IdGenerator {
  const { session } = ids
  return {
    message: (now) => check(messageIdSchema, ids.message(now), 'options.ids.message()'),
    session:
      session === 'date'
        ? session
        : (now) => check(sessionIdSchema, session.call(ids, now), 'options.ids.session()'),
  }
}

/**
 * Checks the options of every store, with `busyTimeout` and `maxMessageBytes` where a store has them, and fills in
 * defaults. Other options are the backend's own.
 *
 * @throws {StoreError} invalid naming the option
 */
export function resolveOptions(options: StoreOptions): StoreContext {
  check(schema, options, 'options')
  const timeZone = options.timeZone ?? 'UTC'
  return {
    now: wholeMilliseconds(options.clock ?? Date.now),
    ids: options.ids === undefined ? createIds() : checkedIds(options.ids),
    dayOf: createDayOf(timeZone, options.idPrefix),
    timeZone,
    locale: options.locale ?? 'en',
    logger: options.logger ?? silent,
  }
}
