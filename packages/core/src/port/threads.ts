// The part of the port that groups sessions.

import type { JsonObject } from '../types/content.ts'
import type { Page, PageRequest } from '../types/query.ts'
import type { Session } from '../types/session.ts'
import type { MessagePage } from './messages.ts'

/** A named group of sessions; a session may be in several. */
export interface Thread {
  /** A UUIDv7 unless given. */
  readonly id: string
  readonly ownerId: string
  readonly name: string
  readonly metadata: JsonObject
  readonly createdAt: number
  readonly updatedAt: number
  readonly sessionCount: number
}

export interface ThreadRecords {
  create(input: {
    readonly id?: string
    readonly ownerId?: string
    readonly name: string
    readonly metadata?: object
  }): Promise<Thread>
  get(id: string): Promise<Thread | undefined>
  /** Newest update first. */
  list(
    query?: PageRequest & { readonly ownerId?: string; readonly sessionId?: string },
  ): Promise<Page<Thread>>
  update(id: string, patch: { readonly name?: string; readonly metadata?: object }): Promise<Thread>
  /** Removes the group; its sessions stay. */
  remove(id: string): Promise<boolean>
  attach(id: string, sessionId: string): Promise<void>
  detach(id: string, sessionId: string): Promise<boolean>
  /** In the order they were attached. */
  sessions(id: string, page?: PageRequest): Promise<Page<Session>>
  /** The messages of all its sessions that are not in the trash, by (createdAt, position, seq). */
  timeline(id: string, page?: PageRequest): Promise<MessagePage>
}
