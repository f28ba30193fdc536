// Who speaks, in the colour that is the same everywhere.

import type { Role } from '@sess/core'
import type { Colors } from './output.ts'

/** A role in its colour, filled up to `width` columns. */
export function formatRole(role: Role, colors: Colors, width = 0): string {
  const color = { user: colors.cyan, assistant: colors.green, system: colors.magenta, tool: colors.yellow }[
    role
  ]
  return colors.bold(color(role.padEnd(width)))
}
