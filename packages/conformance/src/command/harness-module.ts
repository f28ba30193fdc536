// Finds the harness a user names: the default export of a module.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StoreHarness } from '../harness.ts'

/** What the user has to change; its message is one line. */
export class UsageError extends Error {}

/**
 * Imports a module and answers its default export.
 *
 * @throws {UsageError} no such file, it cannot be imported, its default export is no harness
 */
export async function loadHarness(file: string): Promise<StoreHarness> {
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  let module: { readonly default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    throw new UsageError(`${path} cannot be imported: ${inOneLine(error)}`)
  }
  if (!isHarness(module.default)) {
    throw new UsageError(`${path} has no default export that is a harness: { name, open(options) }`)
  }
  return module.default
}

function isHarness(value: unknown): value is StoreHarness {
  if (typeof value !== 'object' || value === null) return false
  const { name, open } = value as Partial<StoreHarness>
  return typeof name === 'string' && typeof open === 'function'
}

/** What was thrown, in one line. */
export function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  const line = text.trim().replace(/\s*\n\s*/g, ' ')
  return line.length <= 500 ? line : `${line.slice(0, 500)}…`
}
