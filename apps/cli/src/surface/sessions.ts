// The flags of the commands about sessions: new, list.

import { type Command, Option } from 'commander'
import type { ListFlags } from '../commands/list.ts'
import type { NewFlags } from '../commands/new.ts'
import { collect, type Run, readPageLimit, readTypes, sessionTypes } from './arguments.ts'

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

  program
    .command('list')
    .alias('ls')
    .summary('list sessions, the latest first')
    .description(
      'Lists sessions, the latest first. Sub-agents, hidden, archived and trashed ones only when asked for.',
    )
    .option('--type <types>', `only these, between commas: ${sessionTypes.join(', ')}`, readTypes)
    .option('--all', 'every type, archived too, not the trash')
    .option('--archived', 'archived ones')
    .option('--trash', 'those in the trash')
    .option('--pinned', 'pinned ones')
    .option('--cwd <folder>', 'about this folder')
    .option('--channel <type>', 'of this channel')
    .option('--chat <key>', 'of this chat')
    .option('--owner <id>', 'of this owner')
    .option('--tag <tag>', 'with this tag (may be repeated: with all of them)', collect)
    .option('--thread <thread>', 'of this thread')
    .option('--parent <session>', 'children of this session, sub-agents too')
    .option('--name <text>', 'with this in the name')
    .option('--since <when>', 'from then on: an age (7d, 12h, 30m, 2w), a date or a time')
    .option('--until <when>', 'before then')
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
