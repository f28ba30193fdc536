// `sess-conformance HARNESS`: the contract without a test runner. One line a spec, one after the other; what goes wrong in
// a spec fails that spec, what goes wrong before the first one ends with exit code 2.

import { parseArgs } from 'node:util'
import { loadHarness, UsageError } from './command/harness-module.ts'
import { runAll } from './command/run-all.ts'
import { specGroupsWithin } from './store-specs.ts'
import { type Tier, tiers } from './tiers.ts'

const usage = 'usage: sess-conformance ./harness.js [--tier A|B|C|D] [--only PREFIX]'

const help = `${usage}

Runs the store contract against the harness that a module has as its default export: { name, open(options) }.

  --tier A|B|C|D  only what a store of this tier has; A: sessions and messages, D: everything, and the default
  --only PREFIX   only specs whose ids begin so: MSG-, SES-03
  --help, -h      this text

Ends with 0 where no spec failed, 1 where one did, 2 where none could be run.
`

async function main(args: readonly string[]): Promise<number> {
  const parsed = parse(args)
  if (parsed.values.help) {
    process.stdout.write(help)
    return 0
  }
  const { file, tier, only } = readArguments(parsed)
  const harness = await loadHarness(file)
  const specs = specGroupsWithin(tier ?? 'D')
    .flatMap((group) => group.specs)
    .filter(({ id }) => id.startsWith(only))
  if (specs.length === 0) {
    const those = tier === undefined ? 'no spec' : `no spec of tier ${tier}`
    throw new UsageError(`${those} has an id that begins with "${only}"`)
  }
  const { failed } = await runAll(specs, harness, (line) => process.stdout.write(`${line}\n`))
  return failed > 0 ? 1 : 0
}

function readArguments({ values, positionals }: ReturnType<typeof parse>) {
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError(usage)
  const tier: Tier | undefined = tiers.find((name) => name === values.tier)
  if (tier === undefined && values.tier !== undefined)
    throw new UsageError(`--tier is one of ${tiers.join(', ')}, not "${values.tier}"`)
  return { file, tier, only: values.only ?? '' }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tier: { type: 'string' },
        only: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const [reason] = String((error as Error).message).split(/(?<=\.)\s/)
    throw new UsageError(`${reason} (${usage})`)
  }
}

/** Ends the process also where a store left something running. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}

// Whoever read the lines has gone (`| head`).
process.stdout.on('error', () => process.exit(1))

try {
  exit(await main(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`sess-conformance: ${error.message}\n`)
  exit(2)
}
