// The flags of the commands that change what a session is called, how it is marked, and whether it is there.

import type { Command } from 'commander'
import type { DeleteFlags } from '../commands/delete.ts'
import type { Mark } from '../commands/mark.ts'
import type { Run } from './arguments.ts'

export function addSessionChangeCommands(program: Command, run: Run): void {
  program
    .command('rename')
    .argument('<session>')
    .argument('<name>')
    .summary('give a session a name')
    .description('Gives a session a name, which no model changes any more.')
    .addHelpText(
      'after',
      `
Examples:
  $ sess rename @last "Login test"`,
    )
    .action((session: string, name: string, _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/rename.ts')).rename(context, session, name)),
    )

  addMark(program, run, 'archive', 'take sessions out of lists', 'Takes sessions out of lists and searches.')
  addMark(program, run, 'unarchive', 'put them back into lists', 'Puts archived sessions back into lists.')
  addMark(program, run, 'pin', 'mark sessions as important', 'Marks sessions as important.')
  addMark(program, run, 'unpin', 'take that mark away', 'Takes the mark of a pinned session away.')

  addTag(program, run, 'tag', 'add a tag to sessions', 'Adds a tag to sessions.')
  addTag(program, run, 'untag', 'take a tag from sessions', 'Takes a tag from sessions.')

  program
    .command('delete')
    .argument('<sessions...>')
    .summary('move sessions to the trash, or delete them for good')
    .description(
      'Moves sessions to the trash, with their sub-agents and hidden branches.\nWith --purge they are deleted for good, also those in the trash.',
    )
    .option('--purge', 'for good: asks on a terminal, needs --yes elsewhere')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Examples:
  $ sess delete 20260301_4 20260301_5
  $ sess list --trash
  $ sess delete 20260301_4 --purge --yes`,
    )
    .action((sessions: string[], flags: DeleteFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/delete.ts')).deleteSessions(context, sessions, flags),
      ),
    )

  program
    .command('undelete')
    .argument('<session>')
    .summary('bring a session back from the trash')
    .description('Brings a session back from the trash, with what went there together with it.')
    .addHelpText(
      'after',
      `
Examples:
  $ sess undelete 20260301_4`,
    )
    .action((session: string, _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/undelete.ts')).undelete(context, session)),
    )
}

function addMark(program: Command, run: Run, name: Mark, summary: string, description: string): void {
  program
    .command(name)
    .argument('<sessions...>')
    .summary(summary)
    .description(description)
    .addHelpText(
      'after',
      `
Examples:
  $ sess ${name} @last
  $ sess ${name} 20260301_4 20260301_5`,
    )
    .action((sessions: string[], _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/mark.ts')).mark(context, name, sessions)),
    )
}

function addTag(
  program: Command,
  run: Run,
  name: 'tag' | 'untag',
  summary: string,
  description: string,
): void {
  program
    .command(name)
    .argument('<tag>')
    .argument('<sessions...>')
    .summary(summary)
    .description(description)
    .addHelpText(
      'after',
      `
Examples:
  $ sess ${name} bug @last
  $ sess ${name} "to read" 20260301_4 20260301_5`,
    )
    .action((tag: string, sessions: string[], _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/tag.ts'))[name](context, tag, sessions)),
    )
}
