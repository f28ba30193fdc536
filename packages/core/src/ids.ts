// Ids: date ids for sessions (`20260301_4`), UUIDv7 for messages. The number of a date id comes from a counter row in
// the writing transaction, so it is never used twice.

import { z } from 'zod'
import { StoreError } from './errors.ts'
import { snapshot } from './input/check.ts'

/** Makes the ids a caller did not give. */
export interface IdGenerator {
  /** A message's (and a thread's) id. */
  message(now: number): string
  /** A session's id; 'date' takes `YYYYMMDD_N` from the store's counter. */
  readonly session: 'date' | ((now: number) => string)
}

const optionsSchema = z.strictObject({ session: z.enum(['date', 'uuid']).optional() })

/**
 * The default: date ids for sessions, UUIDv7 for messages.
 *
 * @throws {StoreError} invalid another kind
 */
export function createIds(options: { readonly session?: 'date' | 'uuid' } = {}): IdGenerator {
  const { session } = snapshot(optionsSchema, options, 'options')
  return { message: createUuidV7(), session: session === 'uuid' ? createUuidV7() : 'date' }
}

/** The largest time that a UUID has room for. */
const lastUuidTime = 2 ** 48 - 1

/** UUIDs of version 7 (RFC 9562, method 1: a counter in the bits after the time), growing within one generator. */
export function createUuidV7(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => {
    crypto.getRandomValues(bytes)
  },
): (now: number) => string {
  let lastTime = -1
  let counter = 0
  // Two bytes start the counter, eight are the tail.
  const bytes = new Uint8Array(10)
  return (now) => {
    random(bytes)
    if (now > lastTime && lastTime < lastUuidTime) {
      lastTime = Math.min(Math.floor(now), lastUuidTime)
      // Room to count up within the 12 bits.
      counter = ((bytes[0] as number) << 3) | ((bytes[1] as number) >> 5)
    } else if (++counter > 0xfff) {
      counter = 0
      lastTime++
    }
    const time = Math.max(0, lastTime).toString(16).padStart(12, '0')
    bytes[2] = 0x80 | ((bytes[2] as number) & 0x3f)
    const tail = Array.from(bytes.subarray(2), (byte) => byte.toString(16).padStart(2, '0')).join('')
    const sequence = counter.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`
  }
}

/**
 * The day part of a date id, `20260301` or with a prefix `laptop-20260301`, in the time zone.
 *
 * @throws {StoreError} invalid a time zone the runtime does not know
 */
export function createDayOf(timeZone: string, prefix: string | undefined): (now: number) => string {
  const start = prefix === undefined ? '' : `${prefix}-`
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      calendar: 'iso8601',
      numberingSystem: 'latn',
    })
  } catch (cause) {
    throw new StoreError('invalid', `timeZone "${timeZone}" is not known here`, { cause })
  }
  let cached = { from: 1, until: 0, day: '' }
  return (now) => {
    if (now < cached.from || now >= cached.until) {
      const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
      const day = `${parts.year?.padStart(4, '0')}${parts.month}${parts.day}`
      // Zones change offset at most on quarters of an hour.
      const quarter = 15 * 60 * 1000
      const from = Math.floor(now / quarter) * quarter
      cached = { from, until: from + quarter, day }
    }
    return start + cached.day
  }
}

/** The day and number of an id of the date shape, with any prefix; `undefined` for other ids. */
export function parseDateId(id: string): { readonly day: string; readonly number: number } | undefined {
  const match = /^((?:.*-)?\d{8})_([1-9]\d{0,14})$/.exec(id)
  return match?.[1] === undefined ? undefined : { day: match[1], number: Number(match[2]) }
}

/** A given id may raise its day's counter by this much at the most: legacy ids such as `20251001_94012` are times. */
export const counterLeap = 10_000
