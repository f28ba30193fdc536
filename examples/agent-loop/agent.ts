// An agent host in sixty lines: node agent.ts DATABASE [QUESTION] [crash]. Kill it wherever you like (`crash` does, between
// a tool call and its result) and start it again: without a question it goes on where it was cut off, with one that is closed.

import { type ContentBlock, openConversation, type RestoredMessage, type ToolUseBlock } from '@sess/core'
import { openSqliteStore } from '@sess/sqlite'
import { complete } from './model.ts'

const [path = 'agent.db', question = '', crash] = process.argv.slice(2)

const store = await openSqliteStore({ path })
const conversation = await openConversation(store, {
  current: { channelType: 'cli', channelKey: 'agent-loop' },
  restore: { mode: 'full', turns: 10 },
})

// Stored before it is sent: a question is never lost.
const context = question === '' ? await goOn() : await conversation.begin(question)
if (context === undefined) process.exit(0)
const messages: RestoredMessage[] = [...context.messages]
let usage = { input: 0, output: 0 }

for (let calls: readonly ToolUseBlock[] = []; ; ) {
  const step = await complete(messages)
  usage = { input: usage.input + step.usage.input, output: usage.output + step.usage.output }
  // Each step is stored as it comes.
  await add('assistant', step.content)
  calls = step.content.filter((block): block is ToolUseBlock => block.type === 'tool_use')
  if (calls.length === 0) break
  if (crash !== undefined) process.exit(9)
  await add('user', await Promise.all(calls.map(runTool)))
}

await conversation.finish({ usage })
const sent = context.messages.map(
  ({ role, content }) => `${role}:${content.map(({ type }) => String(type)).join('+')}`,
)
process.stdout.write(`${sent.join(' ')}\n${answer()}\n`)
await store.close()

/** The turn that was cut off; calls that nobody answered are done now. */
async function goOn() {
  const left = await conversation.resume()
  return left?.pending.length ? conversation.begin(await Promise.all(left.pending.map(runTool))) : left
}

async function add(role: 'user' | 'assistant', content: readonly ContentBlock[]): Promise<void> {
  await conversation.persist([{ role, content }])
  messages.push({ role, content })
}

async function runTool(call: ToolUseBlock): Promise<ContentBlock> {
  const { city } = call.input as { readonly city: string }
  return { type: 'tool_result', tool_use_id: call.id, content: `4 °C in ${city}` }
}

function answer(): string {
  const last = messages.at(-1)?.content ?? []
  return last.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
