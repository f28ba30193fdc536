// What a provider's own shape has and sess's blocks cannot say. It is kept beside the block or in the message's
// metadata as a difference: what a converter would write is laid under it, so nothing is stored twice, and text that a
// person edits is the text that is sent.

import type { JsonObject } from '../types/content.ts'
import { isObject, own, sameJson } from './json.ts'

/** The APIs whose conversations can be read and written. */
export type ProviderName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'

/**
 * What only `provider` understands: as `metadata.native` of a message, or `native` of a block. Other providers' requests
 * never hold it.
 */
export interface Native {
  /** Whose shape it is; 'ui' is the AI SDK's UIMessage. */
  readonly provider: ProviderName | 'ui'
  /** The provider's own members, laid over those the block gives; the whole thing where the block gives nothing. */
  readonly value: unknown
  /** Members the block would give and the original lacks, as JSON pointers. */
  readonly without?: readonly string[]
  /** Which of the provider's ways to say it was used, where it has several. */
  readonly form?: string
}

/** The native part of a block or of a message's metadata, where it is that provider's. */
export function nativeOf(holder: unknown, provider: Native['provider']): Native | undefined {
  const native = isObject(holder) ? own(holder, 'native') : undefined
  return isObject(native) && native.provider === provider ? (native as unknown as Native) : undefined
}

/** Whether a block was made from another provider's shape. The AI SDK's is nobody's: providers' things come through it. */
export function isForeign(block: JsonObject, provider: ProviderName): boolean {
  const native = own(block, 'native')
  return isObject(native) && native.provider !== provider && native.provider !== 'ui'
}

/** What of `original` a rendering does not say, for {@link lay} to put back. */
export function difference(
  rendered: JsonObject,
  original: JsonObject,
): { readonly value: JsonObject; readonly without?: readonly string[] } {
  const without: string[] = []
  const value = membersThatDiffer(rendered, original, '', without)
  return without.length > 0 ? { value, without } : { value }
}

function membersThatDiffer(
  rendered: JsonObject,
  original: JsonObject,
  path: string,
  without: string[],
): JsonObject {
  const entries: [string, unknown][] = []
  for (const [key, member] of Object.entries(original)) {
    const other = own(rendered, key)
    if (member === undefined || sameJson(member, other)) continue
    if (isObject(member) && isObject(other)) {
      const inner = membersThatDiffer(other, member, `${path}${step(key)}`, without)
      if (Object.keys(inner).length > 0) entries.push([key, inner])
    } else entries.push([key, member])
  }
  for (const [key, member] of Object.entries(rendered)) {
    if (member !== undefined && own(original, key) === undefined) without.push(`${path}${step(key)}`)
  }
  return Object.fromEntries(entries)
}

/** The original: the native members over a rendering. */
export function lay(rendered: JsonObject, native: Pick<Native, 'value' | 'without'>): unknown {
  if (!isObject(native.value)) return native.value
  const without = Array.isArray(native.without) ? new Set<unknown>(native.without) : new Set<unknown>()
  return layMembers(rendered, native.value, '', without)
}

function layMembers(
  rendered: JsonObject,
  value: JsonObject,
  path: string,
  without: ReadonlySet<unknown>,
): JsonObject {
  const entries: [string, unknown][] = []
  for (const [key, member] of Object.entries(rendered)) {
    const at = `${path}${step(key)}`
    if (without.has(at) || member === undefined) continue
    const over = own(value, key)
    if (isObject(member) && (over === undefined ? without.size > 0 : isObject(over))) {
      entries.push([key, layMembers(member, isObject(over) ? over : {}, at, without)])
    } else entries.push([key, over === undefined ? member : over])
  }
  for (const [key, member] of Object.entries(value)) {
    if (own(rendered, key) === undefined) entries.push([key, member])
  }
  return Object.fromEntries(entries)
}

/** One step of a JSON pointer. */
function step(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * The block with `native`, where the original has what its rendering lacks, or was given in a form of its own; else the
 * block itself.
 */
export function withNative<T extends object>(
  block: T,
  provider: Native['provider'],
  rendered: JsonObject,
  original: JsonObject,
  form?: string,
): T {
  const rest = difference(rendered, original)
  const isSame = Object.keys(rest.value).length === 0 && rest.without === undefined
  if (isSame && form === undefined) return block
  return { ...block, native: { provider, ...rest, ...(form === undefined ? {} : { form }) } satisfies Native }
}

/** Types that the store gives a meaning; a thing it cannot express must not have them. */
const neutralTypes: ReadonlySet<string> = new Set([
  'text',
  'image',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
])

/** A block that holds a provider's own thing whole, under its own type where that has no meaning here. */
export function wholeBlock(
  provider: Native['provider'],
  original: unknown,
  type?: unknown,
  form?: string,
): { readonly type: string; readonly native: Native } {
  const name = typeof type === 'string' && !neutralTypes.has(type) ? type : 'unknown'
  return { type: name, native: { provider, value: original, ...(form === undefined ? {} : { form }) } }
}
