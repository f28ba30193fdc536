// The command line that goes on where a page ended.

import type { Context } from '../runtime.ts'

/** Notes it on standard error; nothing on the last page. */
export function noteNextPage({ output, words }: Context, cursor: string | undefined): void {
  if (cursor !== undefined) output.note(`Next page: ${nextCommand(words, cursor)}`)
}

/** The command line that was given, with another cursor. */
function nextCommand(words: readonly string[], cursor: string): string {
  const kept = words.filter((word, index) => !word.startsWith('--cursor') && words[index - 1] !== '--cursor')
  return ['sess', ...kept, '--cursor', cursor].map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
