// A host of a conversation that others hold at the same time: node converse.ts PATH SESSION NAME TURNS. Prints what a
// provider would refuse of what it was given to send; "done" at the end.

import {
  compactConversation,
  isStoreError,
  type NewMessage,
  openConversation,
  type RestoredMessage,
  toAnthropicMessages,
  toOpenAiMessages,
  validateForProvider,
} from '@sess/core'
import { openSqliteStore } from '../../src/index.ts'

const [path = '', id = '', name = '', turns = '0'] = process.argv.slice(2)
const overflow = new Error('prompt is too long: 201016 tokens > 200000 maximum')

const store = await openSqliteStore({ path, busyTimeout: 60_000 })
const conversation = await openConversation(store, { id, restore: { mode: 'full', turns: 6 } })

for (let turn = 0; turn < Number(turns); turn++) {
  const word = `${name}-${turn}.`
  check(word, (await conversation.begin(`ask ${word}`)).messages)
  await step({ role: 'assistant', content: [{ type: 'tool_use', id: 'call', name: 'ls', input: { word } }] })
  await step({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'call', content: `did ${word}` }],
  })
  const { messages } = await conversation.recover(overflow, { summarize: async () => 'S' })
  if (messages !== undefined) check(`did ${word}`, messages)
  await step({ role: 'assistant', content: `answered ${word}` })
  await conversation.finish({ usage: { input: 1 } })
  if (turn % 3 === 2) await compact()
}
await store.close()
process.stdout.write('done\n')

async function step(message: NewMessage): Promise<void> {
  await conversation.persist([message])
}

/** Two at once: the later one is refused, for what it summarized is summarized already. */
async function compact(): Promise<void> {
  try {
    await compactConversation(store, id, { summarize: async () => `summary by ${name}` })
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'conflict' || !error.retryable) throw error
  }
}

function check(word: string, messages: readonly RestoredMessage[]): void {
  const breaches = [
    ...validateForProvider(toAnthropicMessages(messages), 'anthropic'),
    ...validateForProvider(toOpenAiMessages(messages), 'openai-chat'),
  ]
  for (const { rule, path: where } of breaches) process.stdout.write(`${word} ${rule} ${where}\n`)
  const last = messages.at(-1)
  if (last?.role !== 'user' || !JSON.stringify(last.content).includes(word)) {
    process.stdout.write(`${word} is not last\n`)
  }
}
