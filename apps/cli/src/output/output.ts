// Standard output and standard error. A reader that goes away (`| head`) is no error: the next write throws
// `closedPipe`, which unwinds the command and ends the process with 0.

import picocolors from 'picocolors'
import { safeOutput, visibleLine } from './text.ts'

/** Functions that colour text, or leave it as it is. */
export type Colors = ReturnType<typeof picocolors.createColors>

export interface Output {
  /** Whether standard output is a terminal: tables for people there, plain text for programs elsewhere. */
  readonly isTerminal: boolean
  /** Of the terminal; 100 where there is none. */
  readonly columns: number
  readonly colors: Colors
  /** Writes to standard output and waits where the reader is slow. */
  write(text: string): Promise<void>
  /** A line on standard error that --quiet leaves out; what it quotes is made visible here. */
  note(line: string): void
  /** A line on standard error about something that is wrong, without ending the command; also made visible. */
  warn(line: string): void
}

/** Thrown when nobody reads standard output any more. */
export const closedPipe: Error = new Error('standard output is closed')

// `write` hears of errors by its callback; without a listener they would end the process beside it.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** Output with the colours and the loudness that flags ask for. */
export function createOutput({ color, quiet }: { readonly color: boolean; readonly quiet: boolean }): Output {
  const { stdout, stderr } = process
  const isColored = color && hasColors(stdout, process.env)
  const errorColors = picocolors.createColors(color && hasColors(stderr, process.env))
  return {
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY ? Math.max(40, stdout.columns || 80) : 100,
    colors: picocolors.createColors(isColored),
    write: (text) => write(safeOutput(text, isColored)),
    note(line) {
      if (!quiet) writeError(`${errorColors.dim(visibleLine(line))}\n`)
    },
    warn(line) {
      writeError(`${errorColors.yellow(`sess: ${visibleLine(line)}`)}\n`)
    },
  }
}

/** Whether a stream gets colours: NO_COLOR wins over FORCE_COLOR, which wins over what the stream is. */
export function hasColors(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return !['', '0', 'false'].includes(FORCE_COLOR)
  return stream.isTTY === true && TERM !== 'dumb'
}

/** Writes to standard error. */
export function writeError(text: string): void {
  process.stderr.write(text)
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) return resolve()
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return reject(closedPipe)
      resolve(refuse(error))
    })
  })
}

/** Throws what the system refuses, such as a full disk, as an error of a file. */
async function refuse(error: Error): Promise<never> {
  const { guardFile } = await import('../file-errors.ts')
  return guardFile('standard output', () => Promise.reject(error))
}
