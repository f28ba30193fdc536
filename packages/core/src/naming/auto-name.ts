// Names a session by a model, or by the user's first words where the model fails. A name that a person gave always wins,
// also one given while the model thinks: the write is a compare-and-set.

import { z } from 'zod'
import { isStoreError } from '../errors.ts'
import { check } from '../input/check.ts'
import type { Logger } from '../options.ts'
import type { SessionStore } from '../port/store.ts'
import type { Locale } from '../restore/text.ts'
import type { NameSource } from '../types/session.ts'
import { cleanName, firstWords, nameLimitSchema } from './clean.ts'
import { namingPrompt } from './prompt.ts'
import { openingTexts } from './texts.ts'
import { warn } from './warn.ts'

export interface AutoNameOptions {
  /** Asks a model and answers what it said; a cheap model without reasoning will do. Deadlines are the host's. */
  readonly complete: (prompt: string) => Promise<string>
  /** Characters of a name in CJK, words of any other: 10 and 6 unless given. */
  readonly limit?: number
  /** Of the name: a tag ("fr", "zh-TW") or any description ("plain French"); that of the conversation unless given. */
  readonly language?: string
  /** Of the prompt; "zh" for Chinese texts and "en" for others unless given. The name's language does not follow it. */
  readonly locale?: Locale
  /** Told of a model that failed; never of what was said. */
  readonly logger?: Logger
}

export interface AutoNamed {
  /**
   * "named": the model's name is stored. "fallback": the user's first words are, as the model failed or answered no
   * name. "kept": nothing is written, `reason` says why. "not-found": there is no such session, or it is in the trash.
   */
  readonly outcome: 'named' | 'fallback' | 'kept' | 'not-found'
  /** The session's name as it is now; '' for "not-found". */
  readonly name: string
  /**
   * Of "kept" alone. "user-named": a person named it, before or meanwhile. "auto-named": the model failed, and the name
   * it had before is no worse than first words. "no-text": the user said nothing yet that a name can be made of.
   */
  readonly reason?: 'user-named' | 'auto-named' | 'no-text'
  /** What `complete` rejected with, where it did. */
  readonly error?: unknown
}

const optionsSchema = z.looseObject({
  complete: z.custom((value) => typeof value === 'function', { message: 'must be a function' }),
  limit: nameLimitSchema,
  language: z
    .string()
    .regex(/^(?=.*\S)\P{Cc}{1,100}$/u, 'must be 1 to 100 code points without control characters')
    .optional(),
  locale: z.enum(['en', 'zh']).optional(),
})

/**
 * Names a session by the first three user-visible texts of its user, 500 code points each, and stores the name with
 * `nameSource: "auto"` unless a person has named it. The model is asked once, and not at all where a person has, or
 * where the first 500 rows (10 pages of at most 4 MiB) hold no text; more is never read. May be called again when the
 * conversation goes on: a name by a model takes the place of an earlier one, first words only that of the default name.
 *
 * @throws {StoreError} invalid options that are none; what the store rejects with, but for the lost race of a rename
 */
export async function autoName(
  store: Pick<SessionStore, 'sessions' | 'messages'>,
  sessionId: string,
  options: AutoNameOptions,
): Promise<AutoNamed> {
  check(optionsSchema, options, 'options')
  const session = await store.sessions.get(sessionId)
  if (session === undefined || session.deletedAt !== undefined) return notFound
  if (session.nameSource === 'user') return { outcome: 'kept', name: session.name, reason: 'user-named' }
  const texts = await openingTexts(store, sessionId)
  if (texts.length === 0) return { outcome: 'kept', name: session.name, reason: 'no-text' }

  const { name, ...failure } = await ask(texts, sessionId, options)
  if (name !== undefined) {
    const isStored = await writeName(store, sessionId, name, ['default', 'auto'])
    return isStored ? { outcome: 'named', name } : keep(store, sessionId)
  }
  const words = texts.map((text) => firstWords(text, options.limit)).find((found) => found !== undefined)
  const isStored =
    words !== undefined &&
    session.nameSource === 'default' &&
    (await writeName(store, sessionId, words, ['default']))
  return isStored
    ? { outcome: 'fallback', name: words, ...failure }
    : { ...(await keep(store, sessionId)), ...failure }
}

const notFound: AutoNamed = { outcome: 'not-found', name: '' }

interface Answer {
  readonly name?: string
  readonly error?: unknown
}

async function ask(texts: readonly string[], sessionId: string, options: AutoNameOptions): Promise<Answer> {
  const { limit, logger } = options
  try {
    const answer: unknown = await options.complete(namingPrompt(texts, options))
    const name = typeof answer === 'string' ? cleanName(answer, { limit }) : undefined
    return name === undefined ? {} : { name }
  } catch (error) {
    warn(logger, sessionId, error, 'the model failed to name the session')
    return { error }
  }
}

/** Whether the name was stored: not where the session's name is none of `ifNameSource` any more, nor where it is gone. */
async function writeName(
  store: Pick<SessionStore, 'sessions'>,
  sessionId: string,
  name: string,
  ifNameSource: readonly NameSource[],
): Promise<boolean> {
  try {
    await store.sessions.update(sessionId, { name, nameSource: 'auto', ifNameSource })
    return true
  } catch (error) {
    if (isStoreError(error) && (error.code === 'conflict' || error.code === 'not-found')) return false
    throw error
  }
}

/** What stands there after nothing was written; read again, as it may be new. */
async function keep(store: Pick<SessionStore, 'sessions'>, sessionId: string): Promise<AutoNamed> {
  const session = await store.sessions.get(sessionId)
  if (session === undefined || session.deletedAt !== undefined) return notFound
  return { outcome: 'kept', name: session.name, reason: reasons[session.nameSource] }
}

const reasons: { readonly [source in NameSource]: NonNullable<AutoNamed['reason']> } = {
  user: 'user-named',
  auto: 'auto-named',
  default: 'no-text',
}
