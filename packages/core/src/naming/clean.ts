// A model's answer, or a user's words, as the name of a session. Each pass only shortens; passes are repeated until one
// changes nothing, so that cleaning a clean name never changes it, however what was stripped was nested.

import { z } from 'zod'
import { checkFor } from '../input/arguments.ts'
import { answerOf, dropLabel } from './answer.ts'
import { seenCharacters } from './characters.ts'
import { cutName, wholeGraphemes } from './length.ts'
import {
  dropFences,
  dropReasoning,
  stripMarkdown,
  stripQuotes,
  stripTags,
  trimPunctuation,
  unwrap,
} from './markup.ts'

export interface CleanNameOptions {
  /** Characters of a name in CJK, words of any other: 10 and 6 unless given. */
  readonly limit?: number
}

export const nameLimitSchema: z.ZodOptional<z.ZodNumber> = z.number().int().min(1).optional()
const textSchema = z.string()
const optionsSchema = z.looseObject({ limit: nameLimitSchema })

/** Where a text comes from: what a model answered may be wrapped in reasoning, JSON and labels. */
type Origin = 'model' | 'user'

/** What follows is no part of a name. */
const longestAnswer = 8192
/** Honest answers take two or three. */
const maximumPasses = 40
const anythingSeen = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u

/**
 * The name in what a model answered; `undefined` when there is none in it.
 *
 * Gone are reasoning (`<think>`, also when unclosed), other tags, code fences, a JSON object around a title, markdown,
 * labels ("Title:"), quotes, brackets around the whole, control, bidi and unseen characters, punctuation at the end. Of
 * what is left it is the first line that is not blank, cut by grapheme to at most 10 characters in CJK or 6 words of
 * other scripts (`limit` of either; a mixed name has its share of both), never over 500 code points. An answer that is
 * too long but quotes one phrase that fits is taken for a sentence about that. Cleaning its own result changes nothing.
 *
 * @throws {StoreError} invalid what is no text, a limit that is no whole number from 1
 */
export function cleanName(text: string, options: CleanNameOptions = {}): string | undefined {
  checkFor('cleanName', textSchema, text, 'text')
  checkFor('cleanName', optionsSchema, options, 'options')
  return tidy(text, 'model', options.limit)
}

/** The first words of what a user said, as a name; `undefined` when nothing in it can be one. */
export function firstWords(text: string, limit?: number): string | undefined {
  return tidy(text, 'user', limit)
}

function tidy(text: string, origin: Origin, limit: number | undefined): string | undefined {
  let name = text
  for (let pass = 0; pass < maximumPasses; pass++) {
    const next = firstName(name, origin, limit)
    if (next === name) return name === '' ? undefined : name
    name = next
  }
  return undefined
}

/** One pass; '' when there is no name. */
function firstName(text: string, origin: Origin, limit: number | undefined): string {
  const seen = seenCharacters(text)
  const said = origin === 'model' ? dropReasoning(seen) : seen
  const head = dropFences(wholeGraphemes(said.trimStart(), longestAnswer))
  const answer = origin === 'model' ? answerOf(head) : head
  for (const line of stripTags(answer).split('\n')) {
    const name = cleanLine(line, origin, limit)
    if (name !== '') return name
  }
  return ''
}

function cleanLine(line: string, origin: Origin, limit: number | undefined): string {
  const plain = stripMarkdown(line)
  const said = origin === 'model' ? quotedPhrase(dropLabel(plain), limit) : plain
  const words = unwrap(trimPunctuation(unwrap(stripQuotes(said).replace(/\s+/gu, ' '))))
  const name = trimPunctuation(cutName(trimPunctuation(words), limit))
  return anythingSeen.test(name) ? name : ''
}

/** `A good name is "Slow builds" because ...`: the phrase that a too long line quotes, where it is the only one. */
function quotedPhrase(line: string, limit: number | undefined): string {
  if (cutName(line, limit) === line) return line
  const quoted = [...line.matchAll(/["“„«「『]([^"“”„«»「」『』]+)["”“»」』]/gu)].map(([, phrase = '']) =>
    phrase.trim(),
  )
  const [phrase, another] = quoted.filter((words) => words !== '' && cutName(words, limit) === words)
  return phrase === undefined || another !== undefined ? line : phrase
}
