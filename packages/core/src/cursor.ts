// Cursors of pages: opaque text that names a position and the query it belongs to, so that a cursor of another query,
// another method or a later format is refused instead of answering a wrong page.

import { StoreError, unreadable } from './errors.ts'
import { hashText } from './hash.ts'

const version = 1

/** One part of a position. */
export type CursorPart = string | number | null

/**
 * Text for a position in the results of a query.
 *
 * @param kind the method's name; @param filter the query without limit and cursor, as plain JSON
 * @throws {StoreError} invalid a filter or a position that is none
 */
export function encodeCursor(kind: string, filter: unknown, position: readonly CursorPart[]): string {
  try {
    return toBase64Url(JSON.stringify([version, bind(kind, filter, position), ...position]))
  } catch (cause) {
    throw unreadable('the query or the position', cause)
  }
}

/**
 * The position a cursor names. Only the very text that {@link encodeCursor} made is taken.
 *
 * @throws {StoreError} invalid-cursor not a cursor, one of another version or of another query, or a damaged one
 */
export function decodeCursor(kind: string, filter: unknown, cursor: string): readonly CursorPart[] {
  const parts = parse(cursor)
  if (parts === undefined) throw new StoreError('invalid-cursor', 'the cursor is not one of this store')
  const [found, , ...position] = parts
  if (found !== version) {
    throw new StoreError('invalid-cursor', `the cursor is of version ${found}, this store reads ${version}`)
  }
  if (encodeCursor(kind, filter, position) !== cursor) {
    throw new StoreError(
      'invalid-cursor',
      'the cursor belongs to another query or is damaged; start again without it',
    )
  }
  return position
}

/** Enough of a hash to tell queries and damaged positions apart; order of the filter's keys does not matter. */
function bind(kind: string, filter: unknown, position: readonly CursorPart[]): string {
  return hashText(`${kind} ${JSON.stringify([sortKeys(filter), position])}`).slice(0, 12)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  )
}

function parse(cursor: string): CursorPart[] | undefined {
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_-]{4,4096}$/.test(cursor)) return undefined
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (!Array.isArray(value) || typeof value[0] !== 'number' || typeof value[1] !== 'string')
      return undefined
    const scalar = (part: unknown) => part === null || typeof part === 'string' || typeof part === 'number'
    return value.every(scalar) ? (value as CursorPart[]) : undefined
  } catch {
    return undefined
  }
}

function toBase64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
