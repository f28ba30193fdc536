// The flags of the commands that change a history: fork, rewind, compact, reset, truncate, clear.

import { type Command, Option } from 'commander'
import type { CompactFlags } from '../commands/compact.ts'
import type { ClearFlags, TruncateFlags } from '../commands/cut.ts'
import type { ForkFlags } from '../commands/fork.ts'
import type { RewindFlags } from '../commands/rewind.ts'
import { type Run, readCount, readSeq } from './arguments.ts'

export function addHistoryCommands(program: Command, run: Run): void {
  program
    .command('fork')
    .argument('<session>')
    .summary('copy a session and print the new id')
    .description('Copies a session, whole or through a message, and prints the new id.')
    .addOption(new Option('--at <message>', 'through the message of this id').conflicts('atSeq'))
    .option('--at-seq <n>', 'through the message of this number', readSeq)
    .option('--name <name>', 'its name (default: that of the session, marked as a copy)')
    .addHelpText(
      'after',
      `
Examples:
  $ sess fork @last
  $ id=$(sess fork 20260301_4 --at-seq 12 --name "Without the mock")`,
    )
    .action((session: string, flags: ForkFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/fork.ts')).fork(context, session, flags)),
    )

  program
    .command('rewind')
    .argument('<session>')
    .summary('go back to a message; a hidden branch keeps the rest')
    .description(
      'Goes back to a message, which stays the last one. What came after it is moved to a hidden branch.',
    )
    .addOption(new Option('--to <message>', 'to the message of this id').conflicts('toSeq'))
    .option('--to-seq <n>', 'to the message of this number; 0 keeps none', readSeq)
    .addHelpText(
      'after',
      `
Examples:
  $ sess rewind @last --to-seq 12
  $ sess list --type hidden             the branches`,
    )
    .action((session: string, flags: RewindFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/rewind.ts')).rewind(context, session, flags),
      ),
    )

  program
    .command('compact')
    .argument('<session>')
    .summary('let a summary stand for the beginning')
    .description(
      'Lets a summary stand for everything through a message in what the agent gets back.\nNothing is rewritten: people go on seeing every message.',
    )
    .addOption(
      new Option('--through <n>', 'the number of the last message it stands for')
        .argParser(readCount)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--summary <text>', 'the summary; - reads standard input').makeOptionMandatory())
    .addHelpText(
      'after',
      `
Examples:
  $ sess compact 20260301_4 --through 30 --summary "The mock clock was an hour off; mended."
  $ summarize < notes.txt | sess compact @last --through 30 --summary -`,
    )
    .action((session: string, flags: CompactFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/compact.ts')).compact(context, session, flags),
      ),
    )

  program
    .command('reset')
    .argument('<session>')
    .summary('let the agent begin afresh; nothing is deleted')
    .description('Lets what the agent gets back begin after the last message. Nothing is deleted.')
    .addHelpText(
      'after',
      `
Examples:
  $ sess reset @last`,
    )
    .action((session: string, _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/reset.ts')).reset(context, session)),
    )

  program
    .command('truncate')
    .argument('<session>')
    .summary('delete the messages from one on')
    .description('Deletes messages for good, from one on (rewind keeps them). Asks on a terminal.')
    .addOption(
      new Option('--from <n>', 'the number of the first message that goes')
        .argParser(readCount)
        .makeOptionMandatory(),
    )
    .option('--yes', 'do not ask; needed where there is no terminal')
    .addHelpText(
      'after',
      `
Examples:
  $ sess truncate 20260301_4 --from 31 --yes`,
    )
    .action((session: string, flags: TruncateFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/cut.ts')).truncate(context, session, flags)),
    )

  program
    .command('clear')
    .argument('<session>')
    .summary('delete all messages')
    .description('Deletes all messages of a session for good; the session stays. Asks on a terminal.')
    .option('--yes', 'do not ask; needed where there is no terminal')
    .addHelpText(
      'after',
      `
Examples:
  $ sess clear 20260301_4 --yes`,
    )
    .action((session: string, flags: ClearFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/cut.ts')).clear(context, session, flags)),
    )
}
