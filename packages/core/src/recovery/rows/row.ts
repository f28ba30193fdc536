// What the tests of the classifier share. Used by tests only.

import type { ProviderErrorKind } from '../rule.ts'

/** A refusal as a provider wrote it, and what it has to be taken for. */
export interface ErrorRow {
  readonly id: string
  readonly kind: ProviderErrorKind
  readonly provider: string
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly text: string
  /** Where it was seen: repository#issue, a file of a repository, documentation. */
  readonly source: string
}
