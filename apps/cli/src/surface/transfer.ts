// The flags of the commands that bring conversations in and out: import, export, demo.

import { type Command, Option } from 'commander'
import type { ExportFlags } from '../commands/export.ts'
import type { ImportFlags } from '../commands/import.ts'
import type { Run } from './arguments.ts'

export function addTransferCommands(program: Command, run: Run): void {
  program
    .command('import')
    .argument('<paths...>', 'files, or - for standard input')
    .summary('bring conversations in')
    .description(
      'Reads conversations from files: exports of sess (JSON and JSON lines), sessions of Goose, JSON lines of messages.\nEverything is checked before anything is stored. What was imported before is brought up to date.\nA sub-agent, branch or fork stays linked to its session where both come in one run.',
    )
    .addOption(
      new Option('--from <format>', 'refuse anything else')
        .choices(['auto', 'sess', 'goose', 'messages'])
        .default('auto'),
    )
    .option('--dry-run', 'check the input and store nothing')
    .addHelpText(
      'after',
      `
In a pipe: tab-separated columns without titles
  outcome, id, id before, messages added, name, path

Examples:
  $ sess import backup.jsonl
  $ sess import --dry-run ~/exports/*.json
  $ sess --db old.db export --all | sess --db new.db import -`,
    )
    .action((paths: string[], flags: ImportFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/import.ts')).importHistory(context, paths, flags),
      ),
    )

  program
    .command('export')
    .argument('[sessions...]')
    .summary('write conversations out')
    .description('Writes conversations with everything that is stored of them, in a form that import reads.')
    .option('--all', 'every session, archived too, not the trash')
    .addOption(
      new Option(
        '--format <format>',
        "one JSON value, or one JSON line a message (default: by the output's extension, else json)",
      ).choices(['json', 'jsonl']),
    )
    .option('-o, --output <path>', 'into this file, which appears when it is complete')
    .addHelpText(
      'after',
      `
Examples:
  $ sess export 20260301_4 > login-test.json
  $ sess export --all -o all.jsonl
  $ sess export @last | jq '.messages | length'`,
    )
    .action((sessions: string[], flags: ExportFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/export.ts')).exportSessions(context, sessions, flags),
      ),
    )

  program
    .command('demo')
    .summary('see what it does, in a temporary store')
    .description(
      'Loads a few sample conversations into a temporary store and walks through what can be done with them.',
    )
    .action((_flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/demo.ts')).demo(context)),
    )
}
