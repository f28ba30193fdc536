// The flags of search.

import { type Command, Option } from 'commander'
import type { SearchFlags } from '../commands/search.ts'
import { messageRoles, type Run, readPageLimit, readRoles } from './arguments.ts'
import { addFilterOptions } from './filters.ts'

export function addSearchCommand(program: Command, run: Run): void {
  const command = program
    .command('search')
    .argument('<query...>')
    .summary('find what was said')
    .description(
      'Finds messages, the best first: words are all wanted, in any order, whole or as parts of names.\n' +
        'In the query: "a phrase", -not, word*, a OR b, and role: type: session: cwd: channel: tool:\n' +
        'tag: before: after: in:.',
    )
    .option('--sessions', 'sessions, by all of their messages together, instead of messages')
    .addOption(
      new Option('--in <part>', 'what was said, what tools took and gave, or both (default)').choices([
        'text',
        'tool',
        'all',
      ]),
    )
    .option('--role <role>', `of this role (may be repeated): ${messageRoles.join(', ')}`, readRoles)
    .addOption(
      new Option('--sort <by>', 'by relevance (default) or by recency').choices(['relevance', 'recent']),
    )
  addFilterOptions(command)
    .option('--limit <n>', 'at most so many, up to 1000 (default: 50)', readPageLimit)
    .option('--cursor <cursor>', 'the page that a search ended with')
    .addHelpText(
      'after',
      `
A query that begins with a dash goes behind --. Marks: colour, else [brackets].

In a pipe: tab-separated columns without titles
  session, number, role, time (ISO 8601), name, passage
  with --sessions: session, name, hits, last activity (ISO 8601), passage

Examples:
  $ sess search 'login test timeout'
  $ sess search 悬空引用 --since 30d
  $ sess search '"no such file" -src/old' --role tool --in tool
  $ sess search --sessions 'clock OR Uhr after:2026-03-01'
  $ sess search listSessions --json | jq -r '.items[].sessionId'`,
    )
    .action((words: readonly string[], flags: SearchFlags, self: Command) =>
      run(self, async (context) => (await import('../commands/search.ts')).search(context, words, flags)),
    )
}
