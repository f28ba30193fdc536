// The history breaks a rule on calls: their pairing with results, ids, arguments. Only whole phrases of providers count,
// for the bare word "tool" stands in every complaint about tool definitions too.

import type { ProviderErrorRule } from './rule.ts'

const kind = 'invalid-messages'

export const pairingRules: readonly ProviderErrorRule[] = [
  {
    kind,
    codes: ['invalid_request_message_order', 'invalid_function_call'],
    provider: 'Mistral',
    why: 'NousResearch/hermes-agent#11722, nearai/ironclaw#1241',
  },
  {
    kind,
    pattern:
      /tool_use ids (?:were found without|must be unique)|unexpected tool_use_id\b|each (?:\w{1,40}_)?tool_(?:use|result) (?:block )?must have|tool_(?:use|result) blocks can only be\b|did not find \d{1,6} tool_result block/,
    provider: 'Anthropic',
    why: 'Kilo-Org/kilocode#5163, anthropics/claude-code#18947, anthropics/claude-code#64383, vectorize-io/hindsight#4250, microsoft/agent-framework#4328, Amazon-Q-Developer/language-servers#1235',
  },
  {
    kind,
    pattern:
      /assistant message with tool_calls must be followed|tool_call_ids did not have response messages|insufficient tool messages/,
    provider: 'OpenAI, DeepSeek, Qwen, Cohere',
    why: 'BerriAI/litellm#10083, langgenius/dify#32222, QwenLM/qwen-code#606, oracle/langchain-oracle#10',
  },
  {
    kind,
    pattern: /role tool must (?:be a response|follow)/,
    provider: 'OpenAI, DeepSeek, Qwen',
    why: 'smarter-sh/smarter#264, philschmid/mcp-openai-gemini-llama-example#5, itmisx/deepx-code#94',
  },
  {
    kind,
    pattern:
      /duplicate (?:value for )?tool[ _]?call[ _]?ids?\b|tool_call_id (?:\S{1,80} )?(?:is )?(?:not found|duplicated)/,
    provider: 'OpenAI, MiniMax, Kimi',
    why: 'agno-agi/agno#5116, VicBilibily/GCMP#120, langbot-app/LangBot#1040',
  },
  {
    kind,
    pattern: /\bmessages\[\d{1,6}\]\.tool_calls\b/,
    provider: 'OpenAI, DeepSeek',
    why: 'agno-agi/agno#5382, r1n7aro/Locus#73',
  },
  {
    kind,
    pattern:
      /(?:invalid|missing required parameter:|unknown parameter:|invalid (?:type|value) for) input\[\d{1,6}\]\.(?:id|call_id|name|arguments|summary|status|encrypted_content)\b/,
    provider: 'OpenAI Responses',
    why: 'items replayed with fields of another account or gateway: Wei-Shaw/sub2api#3981, AAswordman/Operit#797, 1jehuang/jcode#1028',
  },
  {
    kind,
    pattern:
      /no tool (?:output|call) found for (?:function|custom tool)|duplicate item found with id|items are not persisted when store/,
    provider: 'OpenAI Responses',
    why: 'router-for-me/CLIProxyAPI#2368, continuedev/continue#10092, vercel/ai#13307, can1357/oh-my-pi#41 (a 404)',
  },
  {
    kind,
    pattern:
      /tool results tool id|tool call result does not follow|tool call and result (?:do |does )?not match|invalid function arguments json/,
    provider: 'MiniMax',
    why: 'MiniMax-AI/MiniMax-M2#76, anomalyco/opencode#32609, Kilo-Org/kilocode#3967, earendil-works/pi#5468; the code 2013 means any bad parameter',
  },
  {
    kind,
    pattern:
      /function\.arguments parameter .{0,60}must be|go struct field chatrequest\.messages|invalid tool call arguments$/,
    provider: 'Qwen, Ollama',
    why: 'HKUDS/nanobot#1487, ollama/ollama#12794',
  },
  {
    kind,
    pattern:
      /function (?:call|response) turn comes|number of function (?:call|response) parts|contents\[\d{1,6}\]\.parts\[\d{1,6}\]\.function_?(?:call|response)\.name/,
    provider: 'Gemini',
    why: 'continuedev/continue#11164, GoogleCloudPlatform/generative-ai#368, google-gemini/gemini-cli#16415',
  },
  {
    kind,
    pattern:
      /\b(?:number of |expected )?tool(?:result|use) blocks (?:at|of)\b|toolconfig field must be defined when using|at messages\.\d{1,6}\.(?:member\.)?content\.\d{1,6}\.(?:member\.)?tool(?:use|result)\b/,
    provider: 'Bedrock',
    why: 'Just-Curieous/Curie#16, agno-agi/agno#6698, BerriAI/litellm#20047, patriceckhart/zot#18, NousResearch/hermes-agent#90008',
  },
  {
    kind,
    pattern: /not the same number of function calls and responses|tool call id .{0,100}must be a-z/,
    provider: 'Mistral',
    why: 'NousResearch/hermes-agent#11722, nearai/ironclaw#1241',
  },
  {
    kind,
    pattern: /chat history contains tool results/,
    provider: 'Cohere',
    why: 'oracle/langchain-oracle#9',
  },
  {
    kind,
    pattern:
      /tool_calls?(?:_id)?s? ?(?:的|与|和|中)?[^,.。;;]{0,24}(?:不匹配|不对应|没有对应|未找到|找不到|必须紧跟|重复|缺少)|工具调用[^,.。;;]{0,16}(?:结果不匹配|没有对应|缺少(?:对应|结果)|必须紧跟)/,
    why: 'gateways that translate; no source found',
  },
]
