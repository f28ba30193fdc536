// The contract as a document: every spec with its tier and what it needs, group by group.

import { type Spec, specGroups, storeSpecs, tiers, tierTitles } from '../src/index.ts'

const mebibyte = 1_048_576

/** What a store or its harness must have for a spec, beside what every store has. */
function needsOf({ needs = [], needsHandle = [], needsMessageBytes }: Spec): string {
  const methods = needs.map((method) => `\`${method}\``)
  const handle = needsHandle.map((feature) => `harness: \`${feature}\``)
  const size = needsMessageBytes === undefined ? [] : [`messages of ${needsMessageBytes / mebibyte} MiB`]
  return [...methods, ...handle, ...size].join(', ')
}

/** docs/store-contract.md. */
export function contractPage(): string {
  const tierRows = tiers.map((tier) => {
    const count = storeSpecs.filter((spec) => spec.tier === tier).length
    return `| ${tier} | ${tierTitles[tier]} | ${count} |`
  })
  const groups = specGroups.map(({ prefix, title, specs }) => {
    const rows = specs.map((spec) => `| ${spec.id} | ${spec.tier} | ${spec.title} | ${needsOf(spec)} |`)
    return `## ${prefix}: ${title.slice(title.indexOf(':') + 2)}\n\n| id | tier | rule | needs |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# The store contract

Made from the specs of \`@sess/conformance\` by \`packages/conformance/test/contract.test.ts\`; do not edit by hand
(\`npx -y pnpm@12 run docs\`). ${storeSpecs.length} rules; an id never changes and is never given to another rule. Every store has
\`sessions.create\`, \`sessions.get\`, \`messages.append\` and \`messages.read\`; what a rule needs beside them stands in its row,
and where a store names that as missing the rule shows as skipped. The tier of a rule is the highest of what it needs.

| tier | adds | rules |
|---|---|---|
${tierRows.join('\n')}

${groups.join('\n')}`
}
