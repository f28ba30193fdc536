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

  /** @throws {StoreError} not-found another owner's session; one that does not exist is left to the store */
  async assertOwnSession(id: string): Promise<void> {
    if (await this.isOthersSession(id)) this.refuse('not-found', `there is no session "${id}"`)
  }

  /** Works on a session: where it is another owner's, the store is asked as for one that does not exist. */
  async onSession<T>(id: string, work: (id: string) => Promise<T>): Promise<T> {
    return (await this.isOthersSession(id)) ? asNobodys(id, work) : work(id)
  }

  async onThread<T>(id: string, work: (id: string) => Promise<T>): Promise<T> {
    return this.#isOthers(await this.#anyThread(id)) ? asNobodys(id, work) : work(id)
  }

  /** Reads of a session what is there while it is this owner's, or nobody's: looked at before and after. */
  readSession<T>(id: string, read: (id: string) => Promise<T>): Promise<T> {
    return this.#readOwn(id, () => this.#anySession(id), read)
  }

  readThread<T>(id: string, read: (id: string) => Promise<T>): Promise<T> {
    return this.#readOwn(id, () => this.#anyThread(id), read)
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
    read: (id: string) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const before = await look()
      if (this.#isOthers(before)) return asNobodys(id, read)
      const value = await read(id)
      const after = await look()
      // Else it went, or came into being, during the read: whose that was is not known.
      if (!this.#isOthers(after) && after?.createdAt === before?.createdAt) return value
    }
  }
}

type Owned = Pick<Session, 'ownerId' | 'createdAt'>

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
