// What flags and environment come to, the same for every command.

import { posix, win32 } from 'node:path'
import type { Locale } from '@sess/core'
import { usageError } from './failure.ts'

/** The flags that stand before or behind any command, as commander gives them. */
export interface GlobalFlags {
  readonly db?: string
  readonly json?: boolean
  readonly color?: boolean
  readonly quiet?: boolean
  readonly locale?: string
  readonly tz?: string
}

export interface Settings {
  /** What `openStore` takes. */
  readonly url: string
  /** Whether neither --db nor SESS_DB names it. */
  readonly isDefaultUrl: boolean
  readonly json: boolean
  readonly quiet: boolean
  readonly locale: Locale
  /** An IANA name. */
  readonly timeZone: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The machine, as far as settings depend on it. */
export interface Machine {
  readonly environment: Environment
  readonly platform: NodeJS.Platform
  readonly home: string
}

/**
 * Fills in what flags leave open.
 *
 * @throws a usage error for a locale or time zone that is none
 */
export function readSettings(flags: GlobalFlags, machine: Machine): Settings {
  const { environment } = machine
  const named = flags.db ?? (environment.SESS_DB || undefined)
  return {
    url: named ?? defaultPath(machine),
    isDefaultUrl: named === undefined,
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
    locale: readLocale(flags.locale, environment),
    timeZone: flags.tz === undefined ? machineZone() : checkZone(flags.tz),
  }
}

/** The database in the platform's folder for an application's data. */
export function defaultPath({ environment, platform, home }: Machine): string {
  if (platform === 'win32') {
    return win32.join(environment.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'sess', 'sess.db')
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'sess', 'sess.db')
  const given = environment.XDG_DATA_HOME ?? ''
  // The XDG specification has relative paths ignored.
  const folder = posix.isAbsolute(given) ? given : posix.join(home, '.local', 'share')
  return posix.join(folder, 'sess', 'sess.db')
}

function readLocale(flag: string | undefined, environment: Environment): Locale {
  const asked = flag ?? (environment.SESS_LOCALE || undefined)
  if (asked === undefined) return /^zh(?![a-z])/i.test(environment.LANG ?? '') ? 'zh' : 'en'
  const found = /^(en|zh)(?![a-z])/i.exec(asked)?.[1]
  if (found === undefined) throw usageError(`locale "${asked}" is not known here: take en or zh`)
  return found.toLowerCase() as Locale
}

/** UTC where TZ is nothing that is known, such as `:`; the system's own programs take it so, too. */
function machineZone(): string {
  return findZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC'
}

function checkZone(name: string): string {
  const zone = findZone(name)
  if (zone !== undefined) return zone
  throw usageError(`time zone "${name}" is not known here: take a name such as Europe/Berlin`)
}

function findZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
