// Text in arguments.

import { z } from 'zod'
import { codePointLength } from '../text/utf8.ts'

export const notWellFormed = 'must be well-formed Unicode (it has half of a surrogate pair)'

/** Text for an id, a name or a path: well-formed Unicode without control characters, which no driver mangles. */
export function line(minimum: number, maximum: number): z.ZodType<string> {
  return z.string().check((context) => {
    const text = context.value
    const fail = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text })
    }
    if (text.length < minimum) fail('must not be empty')
    else if (text.length > maximum && codePointLength(text) > maximum)
      fail(`must have at most ${maximum} code points`)
    else if (/\p{Cc}/u.test(text)) fail('must not contain control characters')
    else if (!text.isWellFormed()) fail(notWellFormed)
  })
}

/** No URL can carry `.` and `..` as a part of its path. */
export function idOf(maximum: number): z.ZodType<string> {
  return line(1, maximum).refine((text) => text !== '.' && text !== '..', {
    message: 'must not be "." or ".."',
  })
}

export const isWellFormed = (value: unknown): boolean => typeof value !== 'string' || value.isWellFormed()

/** Text to compare with: drivers would take half of a surrogate pair for U+FFFD. */
export const filterText: z.ZodType<string> = z.string().refine(isWellFormed, { message: notWellFormed })
