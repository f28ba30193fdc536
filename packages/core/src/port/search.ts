// The part of the port that finds what was said.

import type { Message, Role } from '../types/message.ts'
import type { Page, PageRequest, SessionFilter } from '../types/query.ts'
import type { Session } from '../types/session.ts'

export interface SearchQuery extends SessionFilter, PageRequest {
  /** The query language: words are ANDed; `"phrase"`, `-not`, `word*`, `OR`, `role:` and the other filters. */
  readonly text: string
  readonly sessionId?: string
  readonly in?: 'text' | 'tool' | 'all'
  readonly roles?: readonly Role[]
  readonly sort?: 'relevance' | 'recent'
  /** Takes the last word as a prefix, for search as one types. */
  readonly prefixLast?: boolean
  readonly include?: 'message'
  /** How many messages before and after a hit to give. */
  readonly around?: number
}

/** A passage of about 32 words; ranges are UTF-16 offsets into `text`. */
export interface Snippet {
  readonly text: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

export interface MessageHit {
  readonly sessionId: string
  readonly messageId: string
  readonly seq: number
  readonly role: Role
  readonly createdAt: number
  readonly score: number
  readonly snippet: Snippet
  readonly session: Session
  readonly message?: Message
  readonly around?: readonly Message[]
}

export interface SessionHit {
  readonly session: Session
  readonly hitCount: number
  readonly nameSnippet?: Snippet
  readonly hits: readonly MessageHit[]
}

export interface SearchPage<T> extends Page<T> {
  /** Nothing matched all words, so these match some. */
  readonly relaxed?: boolean
  /** What was cut from an over-long query. */
  readonly ignored?: readonly string[]
  /** The index could not be brought up to date and the rest was too long to scan. */
  readonly partial?: boolean
}

export interface MessageSearch {
  messages(query: SearchQuery): Promise<SearchPage<MessageHit>>
  /** Each session once, with its best hits and their count. */
  sessions(query: SearchQuery): Promise<SearchPage<SessionHit>>
}
