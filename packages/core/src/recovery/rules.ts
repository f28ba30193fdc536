// The order of the rules; the first that holds decides. What is no fault of the history comes first, then a context that
// is too long, then messages that break a rule. Where none holds the answer is "other": an unknown 400 must never make a
// host rewrite a conversation.

import type { ProviderErrorRule } from './rule.ts'
import { formRules } from './rules-form.ts'
import { otherRules } from './rules-other.ts'
import { overflowRules } from './rules-overflow.ts'
import { pairingRules } from './rules-pairing.ts'

export const providerErrorRules: readonly ProviderErrorRule[] = [
  ...otherRules,
  ...overflowRules,
  ...pairingRules,
  ...formRules,
]
