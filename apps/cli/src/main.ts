// The entry of `sess`. It reads the command line and hands over to one command; everything that takes time to load (the
// store, the reader of foreign histories) is imported by the command that needs it, so that --help and --version are quick.

import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import { describeFailure, toErrorJson, toErrorLine } from './failure.ts'
import { closedPipe, writeError } from './output/output.ts'
import { createProgram } from './program.ts'
import { createRuntime } from './runtime.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Runs one command line, without the names of node and script, and answers the exit code. */
async function run(words: readonly string[]): Promise<number> {
  const runtime = createRuntime(words)
  const isJson = words.slice(0, endOfFlags(words)).includes('--json')
  let command = ''
  let code: number = exitCodes.ok
  const program = createProgram(version, {
    begin: (name) => {
      command = name
    },
    execute: async (name, flags, work) => {
      code = (await work(runtime.context(name, flags))) ?? exitCodes.ok
    },
  })
  try {
    if (words.length === 0) program.outputHelp()
    else await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const ended = runtime.endedBy()
    if (ended !== undefined) return ended
    if (error === closedPipe) return exitCodes.ok
    // Help and version end this way, too.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
    const failure = await describeFailure(error, command)
    writeError(isJson ? toErrorJson(failure) : toErrorLine(failure))
    return failure.exitCode
  } finally {
    await runtime.close()
  }
  return code
}

function endOfFlags(words: readonly string[]): number {
  const end = words.indexOf('--')
  return end < 0 ? words.length : end
}

process.exitCode = await run(process.argv.slice(2))
