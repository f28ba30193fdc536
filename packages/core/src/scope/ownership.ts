// Whose a session or a thread is. What goes wrong while looking is an error of the method that looked, not of the look.

import { isStoreError, StoreError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { StoreScope } from '../port/store.ts'
import type { Thread } from '../port/threads.ts'
import type { Page } from '../types/query.ts'
import type { Session } from '../types/session.ts'

/** Looks on behalf of one method of the port, whose name its errors carry. */
export class Ownership {
  readonly #parts: StoreScope
  readonly #operation: string
  readonly ownerId: string

  constructor(parts: StoreScope, ownerId: string, operation: string) {
    this.#parts = parts
    this.#operation = operation
    this.ownerId = ownerId
  }

  /** The session, where it is this owner's. */
  async session(id: string): Promise<Session | undefined> {
    return this.#own(await this.#anySession(id))
  }

  /** The thread, where it is this owner's. */
  async thread(id: string): Promise<Thread | undefined> {
    return this.#own(await this.#anyThread(id))
  }

  async isOthersSession(id: string): Promise<boolean> {
    return this.#isOthers(await this.#anySession(id))
  }

  /** Works on a session: where it is another owner's, the store is asked as for one that does not exist. */
  async onSession<T>(id: string, work: (id: string) => Promise<T>): Promise<T> {
    return (await this.isOthersSession(id)) ? asNobodys(id, work) : work(id)
  }

  async onThread<T>(id: string, work: (id: string) => Promise<T>): Promise<T> {
    return this.#isOthers(await this.#anyThread(id)) ? asNobodys(id, work) : work(id)
  }

  /**
   * Reads of a session what is there while it is this owner's: looked at before and after.
   *
   * @param none what a read of an unknown session answers
   */
  readSession<T>(id: string, none: T, read: (id: string) => Promise<T>): Promise<T> {
    return this.#readOwn(id, () => this.#anySession(id), none, read)
  }

  /** The same of a thread. */
  readThread<T>(id: string, none: T, read: (id: string) => Promise<T>): Promise<T> {
    return this.#readOwn(id, () => this.#anyThread(id), none, read)
  }

  /** Makes a session; of another owner's that has its id nothing shows but that it is taken. */
  async make<T>(id: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isTaken = isStoreError(error) && error.code === 'already-exists' && typeof id === 'string'
      if (!isTaken || !(await this.isOthersSession(id))) throw error
      throw new StoreError('already-exists', `session "${id}" exists already`, { operation: this.#operation })
    }
  }

  /** How many sessions of a thread are this owner's and not in the trash. */
  async countOwn(threadId: string): Promise<number> {
    let count = 0
    let cursor: string | undefined
    do {
      const request = { limit: limits.pageMax, ...(cursor === undefined ? {} : { cursor }) }
      const page: Page<Session> = await this.as(() => this.#parts.threads.sessions(threadId, request))
      count += page.items.filter((session) => session.ownerId === this.ownerId).length
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return count
  }

  /**
   * A caller's fields with this owner in them; `wayOut` ends the error about another's.
   *
   * @throws {StoreError} invalid no object, or it names another owner
   */
  withOwner<T extends { readonly ownerId?: string }>(
    given: T,
    name: string,
    wayOut = '',
  ): T & { readonly ownerId: string } {
    const fields = this.fields(given, name)
    if (fields.ownerId !== undefined && fields.ownerId !== this.ownerId) {
      this.refuse('invalid', `${name}.ownerId: must be "${this.ownerId}", the owner of this view${wayOut}`)
    }
    return { ...fields, ownerId: this.ownerId }
  }

  /** A query for what is this owner's; one for another's finds nothing, but is the store's to check. */
  ownQuery<T extends { readonly ownerId?: string }>(given: T): T {
    const query = this.fields(given, 'query')
    const { ownerId = this.ownerId } = query
    return { ...query, ownerId: typeof ownerId === 'string' && ownerId !== this.ownerId ? nobody() : ownerId }
  }

  /**
   * A caller's fields, read once.
   *
   * @throws {StoreError} invalid no object
   */
  fields<T extends object>(given: T, name: string): T {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      this.refuse('invalid', `${name}: must be an object`)
    }
    try {
      return { ...given }
    } catch (cause) {
      throw new StoreError('invalid', `${name} cannot be read: ${String(cause)}`, {
        operation: this.#operation,
        cause,
      })
    }
  }

  refuse(code: StoreError['code'], message: string): never {
    throw new StoreError(code, message, { operation: this.#operation })
  }

  /** Runs something whose errors are to be those of this method. */
  async as<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error)) throw error
      const { code, message, retryable, cause } = error
      throw new StoreError(code, message, { operation: this.#operation, retryable, cause })
    }
  }

  #anySession(id: string): Promise<Session | undefined> {
    return this.as(() => this.#parts.sessions.get(id))
  }

  #anyThread(id: string): Promise<Thread | undefined> {
    return this.as(() => this.#parts.threads.get(id))
  }

  #own<T extends Owned>(found: T | undefined): T | undefined {
    return found?.ownerId === this.ownerId ? found : undefined
  }

  #isOthers(found: Owned | undefined): boolean {
    return found !== undefined && found.ownerId !== this.ownerId
  }

  async #readOwn<T>(
    id: string,
    look: () => Promise<Owned | undefined>,
    none: T,
    read: (id: string) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      const before = await look()
      // Asked all the same, so that what is no read is refused; what it gave may be another owner's of a moment.
      const value = await (this.#isOthers(before) ? asNobodys(id, read) : read(id))
      if (this.#own(before) === undefined) return none
      const after = this.#own(await look())
      // Else it may have gone during the read, and come back: whose it was in between is not known.
      if (after !== undefined && isSame(before as Owned, after, tries)) return value
    }
  }
}

type Owned = Pick<Session, 'ownerId' | 'createdAt'> & Partial<Pick<Session, 'changeSeq'>>

/** How often a session that others of this owner write to meanwhile is read again. */
const calmTries = 8

function isSame(before: Owned, after: Owned, tries: number): boolean {
  if (before.createdAt !== after.createdAt) return false
  return before.changeSeq === after.changeSeq || tries > calmTries
}

/** An id that nothing and nobody has. */
const nobody = () => crypto.randomUUID()

/** Asks for an id that nobody has, and answers as if it had been the one asked for. */
async function asNobodys<T>(id: string, work: (id: string) => Promise<T>): Promise<T> {
  const nobodys = nobody()
  try {
    return await work(nobodys)
  } catch (error) {
    if (!isStoreError(error)) throw error
    const { code, message, operation, retryable, cause } = error
    throw new StoreError(code, message.replaceAll(nobodys, id), { operation, retryable, cause })
  }
}

/** Who looks for a method of the port: `owner('sessions.fork')`. */
export type OwnerOf = (operation: string) => Ownership
