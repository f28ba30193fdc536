// What a rule of the error classifier is. Rules are data: see rules.ts for their order.

/**
 * What an agent host has to conclude from a model provider's refusal: shorten the conversation, mend the messages it
 * sent, or leave the history alone.
 */
export type ProviderErrorKind = 'context-overflow' | 'invalid-messages' | 'other'

/** One rule. Of `statuses`, `codes` and `pattern` all that are given must hold. */
export interface ProviderErrorRule {
  readonly kind: ProviderErrorKind
  /** Set where what is refused is an image. */
  readonly isMedia?: true
  /** Whose text or code it is, where it is one vendor's. */
  readonly provider?: string
  /** HTTP statuses. */
  readonly statuses?: readonly number[]
  /** Codes and types, in lower case. */
  readonly codes?: readonly string[]
  /**
   * Tried on text that `plainText` made: lower case, without quotes, single spaces. Every quantifier is bounded, so that
   * the work is too.
   */
  readonly pattern?: RegExp
  /** A last condition on what the pattern matched. */
  readonly accept?: (match: RegExpExecArray) => boolean
  /** What it stands for and where that was seen: repository#issue or documentation. */
  readonly why: string
}
