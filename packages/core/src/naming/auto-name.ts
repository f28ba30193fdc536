// Names a session by a model, or by the user's first words where the model fails. A name that a person gave always wins,
// also one given while the model thinks: the write is a compare-and-set.

import { z } from 'zod'
import { isStoreError } from '../errors.ts'
import { checkFor, checkReadId, checkStore, functionSchema, loggerSchema } from '../input/arguments.ts'
import type { Logger } from '../options.ts'
import type { SessionStore } from '../port/store.ts'
import type { Locale } from '../restore/text.ts'
import type { NameSource, Session } from '../types/session.ts'
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
   * "changed": what the name was made of is no more what the user said first, or stands in another session of this id.
   */
  readonly reason?: 'user-named' | 'auto-named' | 'no-text' | 'changed'
  /** What `complete` rejected with, where it did. */
  readonly error?: unknown
}

const optionsSchema = z.looseObject({
  complete: functionSchema,
  limit: nameLimitSchema,
  language: z
    .string()
    .regex(/^(?=.*\S)\P{Cc}{1,100}$/u, 'must be 1 to 100 code points without control characters')
    .optional(),
  locale: z.enum(['en', 'zh']).optional(),
  logger: loggerSchema.optional(),
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
  checkStore('autoName', store, 'messages', 'sessions')
  checkFor('autoName', optionsSchema, options, 'options')
  checkReadId('autoName', sessionId)
  const session = await store.sessions.get(sessionId)
  if (session === undefined || session.deletedAt !== undefined) return notFound
  if (session.nameSource === 'user') return kept(session, 'user-named')
  const texts = await openingTexts(store, sessionId)
  if (texts.length === 0) return kept(session, 'no-text')

  const { name, ...failure } = await ask(texts, sessionId, options)
  const made =
    name ?? texts.map((text) => firstWords(text, options.limit)).find((words) => words !== undefined)
  // First words are no better than the name a model gave before.
  const over: readonly NameSource[] = name === undefined ? ['default'] : ['default', 'auto']
  const named = await nameOf(store, session, texts, made, over)
  if (named !== undefined) return { ...named, ...failure }
  return name === undefined
    ? { outcome: 'fallback', name: made ?? '', ...failure }
    : { outcome: 'named', name }
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

/** Stores the name; answers why not, where the session is gone, is another, or has a better name. */
async function nameOf(
  store: Pick<SessionStore, 'sessions' | 'messages'>,
  seen: Session,
  texts: readonly string[],
  name: string | undefined,
  ifNameSource: readonly NameSource[],
): Promise<AutoNamed | undefined> {
  for (let attempt = 1; ; attempt++) {
    const session = await store.sessions.get(seen.id)
    if (session === undefined || session.deletedAt !== undefined) return notFound
    const { nameSource, changeSeq } = session
    if (name === undefined || !ifNameSource.includes(nameSource)) return kept(session, reasons[nameSource])
    // Anything may have happened: messages were added, or the session was purged and its id given again.
    if (changeSeq !== seen.changeSeq && !(await stillSaid(store, seen.id, texts)))
      return kept(session, 'changed')
    try {
      await store.sessions.update(seen.id, { name, nameSource: 'auto', ifNameSource, ifChangeSeq: changeSeq })
      return undefined
    } catch (error) {
      const code = isStoreError(error) ? error.code : undefined
      if (code === 'not-found') return notFound
      if (code !== 'conflict' || attempt >= maximumTries) throw error
    }
  }
}

/** Each loses to somebody else's change of the session. */
const maximumTries = 100

/** Whether the user's first texts are these; there may be more by now. */
async function stillSaid(
  store: Pick<SessionStore, 'messages'>,
  sessionId: string,
  texts: readonly string[],
): Promise<boolean> {
  const now = await openingTexts(store, sessionId)
  return texts.every((text, index) => text === now[index])
}

function kept({ name }: Session, reason: NonNullable<AutoNamed['reason']>): AutoNamed {
  return { outcome: 'kept', name, reason }
}

const reasons: { readonly [source in NameSource]: NonNullable<AutoNamed['reason']> } = {
  user: 'user-named',
  auto: 'auto-named',
  default: 'no-text',
}
