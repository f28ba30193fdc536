// Sizes the port promises, in one place.

export const limits = {
  /** Code points of a session's, thread's or owner's id. */
  id: 256,
  messageId: 300,
  name: 500,
  tag: 100,
  tags: 100,
  preview: 128,
  pageDefault: 50,
  pageMax: 1000,
  /** A page of messages ends here, in bytes of JSON, content and metadata (UTF-8). */
  pageBytes: 4_194_304,
  messageBytes: 67_108_864,
  /** UTF-16 units of a search query. */
  queryText: 1_048_576,
  /** Messages before and after a hit. */
  around: 100,
  /** Each JSON object of a session's or thread's row, in bytes (UTF-8): a page holds a thousand of them. */
  objectBytes: 1_048_576,
  /** The highest seq an import may bring: as many are left for what is appended to it. */
  importedSeq: 4_503_599_627_370_496,
  jsonDepth: 1000,
  /** An operation id is remembered for this many versions of its session. */
  operationVersions: 256,
  /** How often a write that lost a race is tried before it is `busy`. */
  writeTries: 5,
} as const
