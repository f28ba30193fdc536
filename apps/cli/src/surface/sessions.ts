// The flags of the commands about sessions: new, list.

import { type Command, Option } from 'commander'
import type { ListFlags } from '../commands/list.ts'
import type { NewFlags } from '../commands/new.ts'
import { collect, type Run, readPageLimit, sessionTypes } from './arguments.ts'
import { addFilterOptions } from './filters.ts'

export function addSessionCommands(program: Command, run: Run): void {
  program
    .command('new')
    .summary('create a session and print its id')
    .description('Creates a session without messages and prints its id.')
    .option('--id <id>', 'its id (default: the date and a number, 20260301_4)')
    .option('--name <name>', 'its name')
    .addOption(new Option('--type <type>', 'its type (default: user)').choices(sessionTypes))
    .option('--cwd <folder>', 'the folder it is about')
    .option('--channel <type>', 'where it is held: cli, telegram, web, ...')
    .option('--chat <key>', 'the chat within the channel, which --channel names')
    .option('--owner <id>', 'whose it is')
    .option('--tag <tag>', 'a tag (may be repeated)', collect)
    .option('--provider <name>', 'the provider of its model')
    .option('--model <name>', 'its model')
    .option('--parent <session>', 'the session it is a sub-agent of')
    .addHelpText(
      'after',
      `
Examples:
  $ sess new --name "Login test" --cwd . --tag bug
  $ id=$(sess new --channel telegram --chat 42)`,
    )
    .action((flags: NewFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/new.ts')).newSession(context, flags)),
    )

  const list = program
    .command('list')
    .alias('ls')
    .summary('list sessions, the latest first')
    .description(
      'Lists sessions, the latest first. Sub-agents, hidden, archived and trashed ones only when asked for.',
    )
  addFilterOptions(list)
    .addOption(
      new Option('--sort <by>', 'by last activity (default) or creation').choices(['active', 'created']),
    )
    .option('--reverse', 'the oldest first')
    .option('--limit <n>', 'at most so many, up to 1000 (default: 50)', readPageLimit)
    .option('--cursor <cursor>', 'the page that a list ended with')
    .addHelpText(
      'after',
      `
In a pipe: tab-separated columns without titles
  id, name, type, messages, last activity (ISO 8601), folder

Examples:
  $ sess list --since 7d --tag bug
  $ sess ls --type gateway --channel telegram --limit 10
  $ sess list --all | cut -f 1
  $ sess list --json --limit 100 | jq -r '.items[].id, .nextCursor'`,
    )
    .action((flags: ListFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/list.ts')).list(context, flags)),
    )
}
