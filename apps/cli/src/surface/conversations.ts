// The flags of the commands about one conversation: show, append, context.

import { type Command, Option } from 'commander'
import type { AppendFlags } from '../commands/append.ts'
import type { ContextFlags } from '../commands/context.ts'
import type { ShowFlags } from '../commands/show.ts'
import { messageRoles, type Run, readCount } from './arguments.ts'

export function addConversationCommands(program: Command, run: Run): void {
  program
    .command('show')
    .argument('<session>')
    .summary('read a conversation')
    .description('Prints a session and its messages, as people read them.')
    .addOption(
      new Option('--turns <n>', 'only the latest turns').argParser(readCount).conflicts(['from', 'limit']),
    )
    .option('--from <seq>', 'begin with this message', readCount)
    .option('--limit <n>', 'at most so many messages', readCount)
    .addOption(
      new Option('--tools <how>', 'tool calls: left out, one line each, or whole')
        .choices(['none', 'brief', 'full'])
        .default('brief'),
    )
    .option('--thinking', 'what the model thought, too')
    .addHelpText(
      'after',
      `
Examples:
  $ sess show @last --turns 3
  $ sess show 20260301_4 --tools full --thinking
  $ sess show 20260301_4 --from 120 --limit 20`,
    )
    .action((session: string, flags: ShowFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/show.ts')).show(context, session, flags)),
    )

  program
    .command('append')
    .argument('<session>', 'its id, a unique beginning of it, or @last; see sess --help')
    .argument('[text]', 'the text of one message; - or nothing reads JSON lines from standard input')
    .summary('add a message, or JSON lines of messages')
    .description(
      'Adds one message of the given text, or the messages that stand as JSON lines on standard input.',
    )
    .addOption(new Option('--role <role>', "the text's role (default: user)").choices(messageRoles))
    .option('--create', 'create the session where there is none of that id')
    .addHelpText(
      'after',
      `
A line of standard input is an object: {"role": "assistant", "content": "text or blocks"},
with id, createdAt and metadata if you like. All lines are stored, or none.

Examples:
  $ sess append 20260301_4 "And in the other time zone?"
  $ sess append nightly-report "Started." --role assistant --create
  $ tail -n 2 log.jsonl | sess append 20260301_4 -`,
    )
    .action((session: string, text: string | undefined, flags: AppendFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/append.ts')).append(context, session, text, flags),
      ),
    )

  program
    .command('context')
    .alias('restore')
    .argument('<session>')
    .summary('print what an agent gets back after a restart')
    .description(
      'Prints the context an agent gets back after a restart: the latest turns, as texts without tool calls.\nWhat was left out stands on standard error.',
    )
    .addOption(
      new Option('--turns <n>', 'exactly so many turns')
        .argParser(readCount)
        .conflicts(['agentMaxTurns', 'maxTokens']),
    )
    .addOption(
      new Option('--agent-max-turns <n>', "the agent's own limit, of which a part is taken (default: 20)")
        .argParser(readCount)
        .conflicts('maxTokens'),
    )
    .option('--max-tokens <n>', 'the latest turns that fit, by estimate', readCount)
    .addOption(
      new Option('--mode <mode>', 'texts alone (default), or tool calls too').choices(['text', 'full']),
    )
    .addOption(
      new Option('--format <format>', 'as the body of a request').choices([
        'sess',
        'anthropic',
        'openai',
        'gemini',
      ]),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ sess context @last
  $ sess context 20260301_4 --turns 2 --json | jq .messages
  $ sess context @last --mode full --format anthropic`,
    )
    .action((session: string, flags: ContextFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/context.ts')).restore(context, session, flags),
      ),
    )
}
