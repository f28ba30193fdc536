// A snippet for people: what was found between marks.

import { StoreError } from '../errors.ts'
import type { Snippet } from '../port/search.ts'
import { ellipsis } from './snippet.ts'

export interface HighlightOptions {
  /** Before and after what was found; unless given "[" and "]". They are not escaped. */
  readonly open?: string
  readonly close?: string
  /** Where text was left out; "…" unless given. Not escaped. */
  readonly ellipsis?: string
  /** "html" makes the text safe within an element and within a quoted attribute; "none" unless given. */
  readonly escape?: 'html' | 'none'
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * The text of a snippet with marks around what was found.
 *
 * @throws {StoreError} invalid ranges that overlap, are out of order, or reach beyond the text
 */
export function highlightSnippet(snippet: Snippet, options: HighlightOptions = {}): string {
  const { open = '[', close = ']', ellipsis: left = ellipsis, escape: form = 'none' } = options
  const { text, ranges } = snippet
  const safe = (part: string) =>
    form === 'html' ? part.replace(/[&<>"']/g, (character) => entities[character] as string) : part
  const from = text.startsWith(ellipsis) ? ellipsis.length : 0
  const to = text.length > from && text.endsWith(ellipsis) ? text.length - ellipsis.length : text.length
  let marked = from > 0 ? left : ''
  let at = from
  for (const [start, end] of ranges) {
    if (!(start >= at && end > start && end <= to)) {
      throw new StoreError('invalid', `snippet.ranges: [${start}, ${end}] is not one within the text`)
    }
    marked += `${safe(text.slice(at, start))}${open}${safe(text.slice(start, end))}${close}`
    at = end
  }
  return `${marked}${safe(text.slice(at, to))}${to < text.length ? left : ''}`
}
