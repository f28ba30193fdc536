// The command line's surface put together: global flags, groups of commands, help. What a command does stands in
// commands/, which nothing here imports before it runs.

import { Command, Option } from 'commander'
import picocolors from 'picocolors'
import { hasColors } from './output/output.ts'
import type { Context } from './runtime.ts'
import type { GlobalFlags } from './settings.ts'
import { addConversationCommands } from './surface/conversations.ts'
import { addHistoryCommands } from './surface/histories.ts'
import { addSearchCommand } from './surface/search.ts'
import { addSessionChangeCommands } from './surface/session-changes.ts'
import { addSessionCommands } from './surface/sessions.ts'
import { addThreadCommands } from './surface/threads.ts'
import { addTransferCommands } from './surface/transfer.ts'

/** What a command does; its number is the exit code, 0 unless given. */
export type Work = (context: Context) => Promise<number | undefined>

/** Who runs what the program parses. */
export interface ProgramHost {
  /** Told of the command before its words are read. */
  begin(name: string): void
  execute(name: string, flags: GlobalFlags, work: Work): Promise<void>
}

const examples = `
Examples:
  $ sess demo                             see what it does, in a temporary store
  $ sess import chat.json                 of sess, of Goose, lines of messages
  $ sess list --since 7d                  what was talked about this week
  $ sess search 'login test'              who said what, and where
  $ sess show @last --turns 2             the end of the latest conversation
  $ sess context 20260301_4 --json        what an agent would get back
  $ sess fork 20260301_4 --at-seq 12      another way from there
  $ sess export --all -o all.jsonl

A SESSION is an id, a unique beginning of one, the id it had where it was
imported from, @last for the latest conversation or @2 for the one before.`

/** The program, ready to parse; what goes wrong is thrown as a CommanderError, nothing exits. */
export function createProgram(version: string, { begin, execute }: ProgramHost): Command {
  const colors = picocolors.createColors(true)
  const program = new Command('sess')
    .description(
      'Keeps the conversations of AI agents: store, list, read, restore, fork, group, import and export them.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(
      new Option(
        '--db <url>',
        'the store: a file, or a URL (default: SESS_DB, else sess/sess.db in your data folder)',
      ),
    )
    .option('--json', 'print one JSON value; errors as JSON on standard error')
    .option('--no-color', 'no colours (also NO_COLOR; FORCE_COLOR for colours in a pipe)')
    .option('-q, --quiet', 'print results and errors only')
    .option(
      '--locale <locale>',
      'en or zh, for default names and placeholders (default: SESS_LOCALE, else LANG)',
    )
    .option('--tz <zone>', "time zone of dates (default: the machine's)")
    .usage('[options] COMMAND')
    .addHelpText('after', examples)
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      // On a narrow terminal the descriptions are wrapped in their own column, too.
      minWidthToWrap: 16,
      styleTitle: colors.bold,
      styleSubcommandTerm: colors.cyan,
    })
    .configureOutput({
      // The caller of `parseAsync` prints errors, as text or as JSON.
      outputError: () => {},
      getOutHasColors: () => isColored(process.argv) && hasColors(process.stdout, process.env),
    })
  const run = (command: Command, work: Work) =>
    execute(nameOf(command), command.optsWithGlobals(), (context) => work(context).catch(naming(context)))
  program.commandsGroup('Sessions:')
  addSessionCommands(program, run)
  addSessionChangeCommands(program, run)
  program.commandsGroup('Conversations:')
  addConversationCommands(program, run)
  addHistoryCommands(program, run)
  addSearchCommand(program, run)
  program.commandsGroup('Threads:')
  addThreadCommands(program, run)
  program.commandsGroup('In and out:')
  addTransferCommands(program, run)
  for (const parent of [program, ...program.commands]) {
    parent.hook('preSubcommand', (_parent, command) => begin(nameOf(command)))
  }
  program.commandsGroup('Help:').helpCommand(false)
  addHelpCommand(program)
  return program
}

/** As commander's own, which prints the whole help for a command there is not. */
function addHelpCommand(program: Command): void {
  program
    .command('help')
    .argument('[command...]')
    .summary('print help for a command')
    .description('Prints help for a command.')
    .action(async (names: readonly string[]) => {
      let found: Command | undefined = program
      for (const name of names) {
        found = found?.commands.find((one) => one.name() === name || one.aliases().includes(name))
      }
      found?.help()
      // Parsed as the command it is not, it is refused with the names that are like it.
      await program.parseAsync(['--', ...names], { from: 'user' })
    })
}

/** Throws what a command threw, with the store in it where that is what the user may have wrong. */
function naming({ settings }: Context): (error: unknown) => Promise<never> {
  return async (error) => {
    const { withStoreName } = await import('./find-session.ts')
    throw withStoreName(error, settings.url)
  }
}

/** `list`, `thread create`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name()
}

function isColored(words: readonly string[]): boolean {
  return !words.includes('--no-color')
}
