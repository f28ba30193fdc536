// A scripted model: it looks the weather up once, then answers. It refuses what a provider would refuse.

import type { ContentBlock, RestoredMessage, ToolUseBlock } from '@sess/core'

export interface Step {
  readonly content: readonly ContentBlock[]
  readonly usage: { readonly input: number; readonly output: number }
}

/** Answers the next step, or throws as a provider does: a call without its result, two messages of one role. */
export async function complete(messages: readonly RestoredMessage[]): Promise<Step> {
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) throw new Error(`400 messages.${index}: roles must alternate`)
    const results = messages[index + 1]?.content.filter((block) => block.type === 'tool_result') ?? []
    for (const call of content.filter((block): block is ToolUseBlock => block.type === 'tool_use')) {
      if (results.some((block) => block.tool_use_id === call.id)) continue
      throw new Error(`400 messages.${index}: tool_use ids were found without tool_result blocks: ${call.id}`)
    }
  }
  const usage = { input: 10 * messages.length, output: 5 }
  const last = messages.at(-1)?.content ?? []
  const result = last.find((block) => block.type === 'tool_result')
  const asks = last.some((block) => block.type === 'text' && block.text.includes('weather'))
  if (asks) {
    const call = {
      type: 'tool_use' as const,
      id: `call-${messages.length}`,
      name: 'weather',
      input: { city: 'Oslo' },
    }
    return { content: [{ type: 'text', text: 'Let me look.' }, call], usage }
  }
  const seen = typeof result?.content === 'string' ? `It is ${result.content}.` : 'As I said.'
  return { content: [{ type: 'text', text: seen }], usage }
}
