// The flags that say which sessions are meant: of list and search.

import type { Command } from 'commander'
import { collect, readTypes, sessionTypes } from './arguments.ts'

export function addFilterOptions(command: Command): Command {
  return command
    .option('--type <types>', `only these, between commas: ${sessionTypes.join(', ')}`, readTypes)
    .option('--all', 'every type, archived too, not the trash')
    .option('--archived', 'archived ones')
    .option('--trash', 'those in the trash')
    .option('--pinned', 'pinned ones')
    .option('--cwd <folder>', 'about this folder')
    .option('--channel <type>', 'of this channel')
    .option('--chat <key>', 'of this chat')
    .option('--owner <id>', 'of this owner')
    .option('--tag <tag>', 'with this tag (may be repeated: with all of them)', collect)
    .option('--thread <thread>', 'of this thread')
    .option('--parent <session>', 'children of this session, sub-agents too')
    .option('--name <text>', 'with this in the name')
    .option('--since <when>', 'from then on: an age (7d, 12h, 30m, 2w), a date or a time')
    .option('--until <when>', 'before then')
}
