// The part of the port that tells what changed, also in other processes.

export interface SessionChange {
  readonly sessionId: string
  readonly ownerId: string
  readonly changeSeq: number
  /** Purged; the trash is a change. */
  readonly removed: boolean
  readonly version?: number
  readonly lastSeq?: number
}

export interface ChangeFeed {
  /**
   * State, not a log: each session changed or purged since the token, once, in `changeSeq` order. Without a token from
   * the beginning; "now" is an empty answer and the present token. Threads are not in it.
   *
   * @throws {StoreError} invalid-cursor a token below the horizon or above the counter: start again
   */
  since(
    token?: string | 'now',
    limit?: number,
  ): Promise<{ readonly changes: readonly SessionChange[]; readonly token: string }>
}
