// What went wrong, as one line for people or one JSON object for programs.

import { CommanderError } from 'commander'
import { exitCodes, storeExitCodes } from './exit-codes.ts'
import { toJsonText } from './output/json.ts'
import { visibleLine } from './output/text.ts'

/** An error on its way to standard error. */
export interface Failure {
  /** A code of the store, or "usage". */
  readonly code: string
  readonly message: string
  /** The port's method, or the command where no method failed. */
  readonly operation: string
  readonly exitCode: number
}

/** A command line that says nothing sensible; commander's own errors end the same way. */
export function usageError(message: string): Error {
  return new CommanderError(exitCodes.usage, 'sess.usage', message)
}

/** Sorts a thrown value; `command` is the one that ran, '' where none did. */
export async function describeFailure(error: unknown, command: string): Promise<Failure> {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '')
    return { code: 'usage', message, operation: command, exitCode: exitCodes.usage }
  }
  if (error instanceof RangeError && error.message === 'Invalid string length') {
    const message = 'the answer is longer than a text can be: take a part of it, or "sess export"'
    return { code: 'too-large', message, operation: command, exitCode: storeExitCodes['too-large'] }
  }
  const { isStoreError } = await import('@sess/core')
  if (!isStoreError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return { code: 'unknown', message, operation: command, exitCode: exitCodes.other }
  }
  const { code, message, operation } = error
  return { code, message, operation: operation || command, exitCode: storeExitCodes[code] ?? exitCodes.other }
}

export function toErrorLine({ message }: Failure): string {
  return `sess: ${visibleLine(message.replaceAll(/\s*\n\s*/g, ' '))}\n`
}

export function toErrorJson({ code, message, operation }: Failure): string {
  return `${toJsonText({ error: { code, message, operation } })}\n`
}
