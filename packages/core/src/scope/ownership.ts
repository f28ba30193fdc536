// Whose a session or a thread is. What goes wrong while looking is an error of the method that looked, not of the look.

import { unknownThread } from '../adapter/threads.ts'
import { isStoreError, StoreError, withOperation } from '../errors.ts'
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
    const session = await this.#look(() => this.#parts.sessions.get(id))
    return session?.ownerId === this.ownerId ? session : undefined
  }

  async isOthersSession(id: string): Promise<boolean> {
    const session = await this.#look(() => this.#parts.sessions.get(id))
    return session !== undefined && session.ownerId !== this.ownerId
  }

  /** @throws {StoreError} not-found another owner's session; one that does not exist is left to the store */
  async assertOwnSession(id: string): Promise<void> {
    if (await this.isOthersSession(id)) this.refuse('not-found', `there is no session "${id}"`)
  }

  /** The thread, where it is this owner's. */
  async thread(id: string): Promise<Thread | undefined> {
    const thread = await this.#look(() => this.#parts.threads.get(id))
    return thread?.ownerId === this.ownerId ? thread : undefined
  }

  async isOthersThread(id: string): Promise<boolean> {
    const thread = await this.#look(() => this.#parts.threads.get(id))
    return thread !== undefined && thread.ownerId !== this.ownerId
  }

  /** @throws {StoreError} not-found another owner's thread; one that does not exist is left to the store */
  async assertOwnThread(id: string): Promise<void> {
    if (await this.isOthersThread(id)) throw withOperation(unknownThread(id), this.#operation)
  }

  /** How many sessions of a thread are this owner's and not in the trash. */
  async countOwn(threadId: string): Promise<number> {
    let count = 0
    let cursor: string | undefined
    do {
      const request = { limit: limits.pageMax, ...(cursor === undefined ? {} : { cursor }) }
      const page: Page<Session> = await this.#look(() => this.#parts.threads.sessions(threadId, request))
      count += page.items.filter((session) => session.ownerId === this.ownerId).length
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return count
  }

  /** @throws {StoreError} invalid the caller names another owner */
  assertNoOther(given: string | undefined, name: string): void {
    if (given !== undefined && given !== this.ownerId) {
      this.refuse('invalid', `${name}.ownerId: must be "${this.ownerId}", the owner of this view`)
    }
  }

  refuse(code: StoreError['code'], message: string): never {
    throw new StoreError(code, message, { operation: this.#operation })
  }

  async #look<T>(look: () => Promise<T>): Promise<T> {
    try {
      return await look()
    } catch (error) {
      if (!isStoreError(error)) throw error
      const { code, message, retryable, cause } = error
      throw new StoreError(code, message, { operation: this.#operation, retryable, cause })
    }
  }
}

/** Who looks for a method of the port: `owner('sessions.fork')`. */
export type OwnerOf = (operation: string) => Ownership
