// The one error type of every store. Hosts switch on `code`; adapters translate their driver's errors into it.

/** Every code, in the order of docs; HTTP statuses and exit codes are exhaustive records over this union. */
export const storeErrorCodes = [
  'not-found',
  'already-exists',
  'conflict',
  'invalid',
  'invalid-cursor',
  'busy',
  'unavailable',
  'unauthorized',
  'forbidden',
  'corrupt',
  'schema-newer',
  'migration-failed',
  'unsupported',
  'unsupported-version',
  'too-large',
  'closed',
  'unknown',
] as const

export type StoreErrorCode = (typeof storeErrorCodes)[number]

export interface StoreErrorOptions {
  /** The port's method that failed: 'messages.append'; '' until the store fills it in. */
  readonly operation?: string
  /** Whether the same call may succeed later unchanged; `busy` unless given. */
  readonly retryable?: boolean
  readonly cause?: unknown
}

const brand = Symbol.for('@sess/core/StoreError')
const hasPrototype = Object.prototype.isPrototypeOf

/** What every method of a store rejects with. Recognise it by {@link isStoreError}: two installs of core still match. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  readonly operation: string
  readonly retryable: boolean

  constructor(code: StoreErrorCode, message: string, options: StoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.operation = options.operation ?? ''
    this.retryable = options.retryable ?? code === 'busy'
    Object.defineProperty(this, brand, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass inherits this and is asked about its own instances.
    // biome-ignore lint/complexity/noThisInStatic: what stands right of instanceof is what matters
    return this === StoreError ? isStoreError(value) : hasPrototype.call(this.prototype, value as object)
  }
}

/** Whether a thrown value is a {@link StoreError}, of this or another copy of the package. Never throws itself. */
export function isStoreError(value: unknown): value is StoreError {
  try {
    return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
  } catch {
    // A proxy of a caller's, whose trap throws.
    return false
  }
}

/** What a thrown value says; anything can be thrown, also what cannot be turned into text. */
export function thrownText(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause)
  } catch {
    return 'something that cannot be shown was thrown'
  }
}

/** What a getter, a proxy or an iterator of a caller's threw while an argument was read. */
export function unreadable(name: string, cause: unknown): StoreError {
  return new StoreError('invalid', `${name} cannot be read: ${thrownText(cause)}`, { cause })
}

/** The error with `operation` filled in, where it has none yet. */
export function withOperation(error: StoreError, operation: string): StoreError {
  if (error.operation !== '') return error
  const named = new StoreError(error.code, error.message, {
    operation,
    retryable: error.retryable,
    cause: error.cause,
  })
  if (error.stack !== undefined) named.stack = error.stack
  return named
}

/** A method that this store does not have. */
export function unsupported(operation: string, backend: string): StoreError {
  return new StoreError('unsupported', `${operation} is not supported by the ${backend} store`, { operation })
}
