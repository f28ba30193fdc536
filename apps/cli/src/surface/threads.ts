// The flags of sess thread and its commands.

import type { Command } from 'commander'
import type { CreateThreadFlags, ListThreadsFlags, PageFlags } from '../commands/threads.ts'
import { usageError } from '../failure.ts'
import { type Run, readPageLimit } from './arguments.ts'

export function addThreadCommands(program: Command, run: Run): void {
  const thread = program
    .command('thread')
    .summary('group sessions and read them as one')
    .description('Groups sessions. A session may be in several threads; without its thread it stays.')
    .usage('[options] COMMAND')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
A THREAD is an id, a unique beginning of one, or a name that no other has.

Examples:
  $ sess thread create "Login bug"
  $ sess thread attach "Login bug" @last 20260301_4
  $ sess thread timeline "Login bug"
  $ sess list --thread "Login bug" --tag bug`,
    )
    // Only what is none of its commands comes here.
    .argument('[command...]')
    .action(([name]: string[]) => {
      const names = thread.commands.map((command) => command.name()).join(', ')
      const what = name === undefined ? '' : `unknown command 'thread ${name}': `
      throw usageError(`${what}name one of ${names}`)
    })

  thread
    .command('create')
    .argument('<name>')
    .summary('create a thread and print its id')
    .description('Creates a thread without sessions and prints its id.')
    .option('--id <id>', 'its id (default: a UUID)')
    .option('--owner <id>', 'whose it is')
    .addHelpText(
      'after',
      `
Examples:
  $ sess thread create "Login bug"
  $ sess thread create "Login bug" --id login-bug --owner ana`,
    )
    .action((name: string, flags: CreateThreadFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/threads.ts')).createThread(context, name, flags),
      ),
    )

  addPageFlags(
    thread
      .command('list')
      .summary('list threads, the last changed first')
      .description('Lists threads, the last changed first.')
      .option('--owner <id>', 'of this owner')
      .option('--session <session>', 'with this session'),
  )
    .addHelpText(
      'after',
      `
In a pipe: tab-separated columns without titles
  id, name, sessions, last change (ISO 8601), owner

Examples:
  $ sess thread list
  $ sess thread list --session @last`,
    )
    .action((flags: ListThreadsFlags, command: Command) =>
      run(command, async (context) => (await import('../commands/threads.ts')).listThreads(context, flags)),
    )

  addPageFlags(
    thread
      .command('show')
      .argument('<thread>')
      .summary('show a thread and its sessions')
      .description('Shows a thread and a page of its sessions, in the order they were attached.'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ sess thread show "Login bug"`,
    )
    .action((name: string, flags: PageFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/threads.ts')).showThread(context, name, flags),
      ),
    )

  thread
    .command('rename')
    .argument('<thread>')
    .argument('<name>')
    .summary('give a thread another name')
    .description('Gives a thread another name.')
    .addHelpText(
      'after',
      `
Examples:
  $ sess thread rename "Login bug" "Login bug, mended"`,
    )
    .action((name: string, newName: string, _flags: object, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/threads.ts')).renameThread(context, name, newName),
      ),
    )

  addMembership(thread, run, 'attach', 'put sessions into a thread', 'Puts sessions into a thread.')
  addMembership(thread, run, 'detach', 'take sessions out of a thread', 'Takes sessions out of a thread.')

  addPageFlags(
    thread
      .command('timeline')
      .argument('<thread>')
      .summary('read what was said in all its sessions, by time')
      .description('Prints a page of the messages of all sessions of a thread, by time, a line for each.'),
  )
    .addHelpText(
      'after',
      `
In a pipe: tab-separated columns without titles
  time (ISO 8601), session, number, role, message

Examples:
  $ sess thread timeline "Login bug" --limit 20`,
    )
    .action((name: string, flags: PageFlags, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/timeline.ts')).timeline(context, name, flags),
      ),
    )

  thread
    .command('delete')
    .argument('<thread>')
    .summary('delete a thread; its sessions stay')
    .description('Deletes a thread; its sessions stay.')
    .addHelpText(
      'after',
      `
Examples:
  $ sess thread delete "Login bug"`,
    )
    .action((name: string, _flags: object, command: Command) =>
      run(command, async (context) => (await import('../commands/threads.ts')).deleteThread(context, name)),
    )
}

function addMembership(
  thread: Command,
  run: Run,
  name: 'attach' | 'detach',
  summary: string,
  description: string,
): void {
  thread
    .command(name)
    .argument('<thread>')
    .argument('<sessions...>')
    .summary(summary)
    .description(description)
    .addHelpText(
      'after',
      `
Examples:
  $ sess thread ${name} "Login bug" @last 20260301_4`,
    )
    .action((group: string, sessions: string[], _flags: object, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/attach.ts'))[name](context, group, sessions),
      ),
    )
}

function addPageFlags(command: Command): Command {
  return command
    .option('--limit <n>', 'at most so many, up to 1000 (default: 50)', readPageLimit)
    .option('--cursor <cursor>', 'the page that a list ended with')
}
