// Whose a session or a thread is.

import { unknownThread } from '../adapter/threads.ts'
import { StoreError } from '../errors.ts'
import type { StoreScope } from '../port/store.ts'
import type { Thread } from '../port/threads.ts'
import type { Session } from '../types/session.ts'

export class Ownership {
  readonly #parts: StoreScope
  readonly ownerId: string

  constructor(parts: StoreScope, ownerId: string) {
    this.#parts = parts
    this.ownerId = ownerId
  }

  /** The session, where it is this owner's. */
  async session(id: string): Promise<Session | undefined> {
    const session = await this.#parts.sessions.get(id)
    return session?.ownerId === this.ownerId ? session : undefined
  }

  /** @throws {StoreError} not-found another owner's session; one that does not exist is left to the store */
  async assertOwnSession(id: string, operation: string): Promise<void> {
    const session = await this.#parts.sessions.get(id)
    if (session !== undefined && session.ownerId !== this.ownerId) {
      throw new StoreError('not-found', `there is no session "${id}"`, { operation })
    }
  }

  /** The thread, where it is this owner's. */
  async thread(id: string): Promise<Thread | undefined> {
    const thread = await this.#parts.threads.get(id)
    return thread?.ownerId === this.ownerId ? thread : undefined
  }

  /** @throws {StoreError} not-found another owner's thread; one that does not exist is left to the store */
  async assertOwnThread(id: string): Promise<void> {
    const thread = await this.#parts.threads.get(id)
    if (thread !== undefined && thread.ownerId !== this.ownerId) throw unknownThread(id)
  }

  /** @throws {StoreError} invalid the caller names another owner */
  assertNoOther(given: string | undefined, name: string): void {
    if (given !== undefined && given !== this.ownerId) {
      throw new StoreError('invalid', `${name}.ownerId: must be "${this.ownerId}", the owner of this view`)
    }
  }
}
