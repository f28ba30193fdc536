// Options every opener takes, and what they come to.

import { z } from 'zod'
import { createDayOf, createIds, type IdGenerator } from './ids.ts'
import { check } from './input/check.ts'
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

const schema = z.looseObject({
  idPrefix: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"')
    .optional(),
  timeZone: z.string().optional(),
  locale: z.enum(['en', 'zh']).optional(),
})

/** A clock of fractions (`performance.now`) would make ids and times no integer column holds. */
function wholeMilliseconds(clock: () => number): () => number {
  return () => Math.floor(clock())
}

/**
 * Fills in defaults.
 *
 * @throws {StoreError} invalid a prefix, time zone or locale that is none
 */
export function resolveOptions(options: StoreOptions): StoreContext {
  check(schema, options, 'options')
  const timeZone = options.timeZone ?? 'UTC'
  return {
    now: wholeMilliseconds(options.clock ?? Date.now),
    ids: options.ids ?? createIds(),
    dayOf: createDayOf(timeZone, options.idPrefix),
    timeZone,
    locale: options.locale ?? 'en',
    logger: options.logger ?? silent,
  }
}
