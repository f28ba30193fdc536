// Tells a model provider's refusals apart. Reads the innermost text first, by rules that are data (rules.ts); what no
// rule knows is "other". Work is bounded: so many objects, texts and characters, quantifiers with an upper end.

import { plainText } from './plain-text.ts'
import type { ProviderErrorKind, ProviderErrorRule } from './rule.ts'
import { providerErrorRules } from './rules.ts'
import { type UnwrappedError, unwrapError } from './unwrap.ts'

export type { ProviderErrorKind } from './rule.ts'

/**
 * What a failed call to a model provider means for the conversation: `context-overflow` shorten it, `invalid-messages`
 * mend what was sent, `other` leave it alone. From HTTP status, codes and texts of any SDK's error, a response's body as
 * object or text, or a plain string. `other` when unsure, a bare 400 too. Never throws.
 */
export function classifyProviderError(error: unknown): ProviderErrorKind {
  return decidingRule(error)?.kind ?? 'other'
}

/** Whether what was refused is an image, which every further request would send again. */
export function refusesMedia(error: unknown): boolean {
  return decidingRule(error)?.isMedia === true
}

/** The first rule that holds for the innermost text that any rule holds for. */
export function decidingRule(error: unknown): ProviderErrorRule | undefined {
  const unwrapped = unwrapError(error)
  const names = new Set([...unwrapped.codes, ...unwrapped.types].map((name) => name.toLowerCase()))
  const texts = unwrapped.texts.length > 0 ? unwrapped.texts.toReversed() : ['']
  for (const text of texts) {
    const plain = plainText(text)
    const rule = providerErrorRules.find((one) => holds(one, unwrapped, names, plain))
    if (rule) return rule
  }
  return undefined
}

function holds(
  rule: ProviderErrorRule,
  { status }: UnwrappedError,
  names: ReadonlySet<string>,
  text: string,
): boolean {
  if (rule.statuses && (status === undefined || !rule.statuses.includes(status))) return false
  if (rule.codes && !rule.codes.some((code) => names.has(code))) return false
  if (!rule.pattern) return true
  const match = rule.pattern.exec(text)
  return match !== null && (rule.accept?.(match) ?? true)
}
