// What is no fault of the history: limits on rate and money, keys, content filters, models, parameters, tool
// definitions. These rules come first: a rate limit on tokens speaks of tokens, a tool schema of tools, and rewriting a
// conversation for either would lose context for nothing.

import type { ProviderErrorRule } from './rule.ts'

const kind = 'other'

export const otherRules: readonly ProviderErrorRule[] = [
  {
    kind,
    statuses: [401, 402, 403, 429, 529],
    why: 'keys, money, permission, rate and load, whatever the text: Aider-AI/aider#1880, RooCodeInc/Roo-Code#5050',
  },
  {
    kind,
    codes: [
      'rate_limit_error',
      'rate_limit_exceeded',
      'rate_limited',
      'too_many_requests',
      'throttlingexception',
      'throttling',
      'servicequotaexceededexception',
      'resource_exhausted',
      'overloaded_error',
      '1302',
      '1303',
      '1304',
      '1305',
    ],
    why: 'rate and load: anthropics/claude-code#55789; docs.bigmodel.cn/cn/faq/api-code (1302 to 1305)',
  },
  {
    kind,
    codes: [
      'insufficient_quota',
      'quota_exceeded',
      'billing_error',
      'arrearage',
      'authentication_error',
      'unauthenticated',
      'invalid_api_key',
      'api_key_invalid',
      'permission_error',
      'permission_denied',
      'accessdeniedexception',
      'unrecognizedclientexception',
      '1113',
    ],
    why: 'money and keys: google-gemini/gemini-cli#25198; docs.bigmodel.cn/cn/api/api-code (1113)',
  },
  {
    kind,
    codes: [
      'content_filter',
      'content_policy_violation',
      'responsibleaipolicyviolation',
      'data_inspection_failed',
      'datainspectionfailed',
      '1301',
    ],
    why: 'filters, which refuse the same text again: openai/openai-python#331, camel-ai/owl#432',
  },
  {
    kind,
    codes: [
      'tool_use_failed',
      'unsupported_parameter',
      'unsupported_value',
      'invalid_function_parameters',
      'model_not_found',
    ],
    why: 'what the model wrote, parameters, tool definitions: groq/groq-typescript#28, evalstate/fast-agent#143',
  },
  {
    kind,
    pattern:
      /rate[ _-]?limit|too many requests|throttl|\b(?:tokens|requests) per (?:second|min|minute|hour|day|month)\b|per[- ]minute|\b[tr]pm\b|overloaded|concurren/,
    why: 'limits on rate where a wrapper lost the status: anomalyco/opencode#13015, continuedev/continue#10218 (a 413)',
  },
  {
    kind,
    pattern:
      /\bquota|credit balance|more credits|insufficient (?:balance|credits?|funds)|billing|subscription|extra usage|in good standing/,
    why: 'money: anthropics/claude-code#66314, continuedev/continue#11154, anthropics/claude-code#27944',
  },
  {
    kind,
    pattern: /api[ _-]?keys?\b|unauthori[sz]ed|authenticat|permission|access denied|credentials/,
    why: 'keys and permission: continuedev/continue#10290, continuedev/continue#11820',
  },
  {
    kind,
    pattern:
      /content (?:filter|polic|manag|moderat)|content exists risk|inappropriate|usage polic|safety (?:system|filter|polic)|high risk|\bflagged\b|blocked by/,
    why: 'filters: anthropics/claude-code#58367, 666ghj/BettaFish#108, vibrantlabsai/ragas#649',
  },
  {
    kind,
    pattern: /速率|频率|限流|并发|欠费|余额|充值|配额|敏感|违规|审核|鉴权|密钥|访问量过大|请求过(?:多|于)/,
    why: 'the same in Chinese: docs.bigmodel.cn/cn/api/rate-limit, docs.bigmodel.cn/cn/api/api-code',
  },
  {
    kind,
    pattern:
      /\btools?(?:\[\d{1,4}\]|\.\d{1,4}\b|: )|invalid schema|input_schema|json ?schema|function_?declarations?|tool_choice|tools?\.function|function parameters|tool (?:definition|description|name)s?\b|(?:工具|函数)(?:定义|描述)|tools ?参数/,
    why: 'tool definitions are not history: anthropics/claude-code#10687, MoonshotAI/kimi-cli#1903, QwenLM/qwen-code#11834',
  },
  {
    kind,
    pattern:
      /cache_control|response_format|unknown name (?!thought_?signature)[\w.]{1,60} at (?!.{0,80}thought_?signature)/,
    why: 'what the adapter adds: tghamm/Anthropic.SDK#50, agno-agi/agno#5317, gera2ld/ai.nvim#13',
  },
  {
    kind,
    pattern:
      /context (?:length|limit) (?:is|of) (?<limit>\d[\d,]{0,14})(?: tokens)?\b.{0,160}?\b(?<input>\d[\d,]{0,14})(?: tokens)? (?:in the messages|in your prompt|input tokens|of text input|from the input)/,
    accept: promptIsSmall,
    why: 'the answer asked for is what does not fit, not the prompt: houko/wechatgpt#15, AIDotNet/OpenCowork#82',
  },
  {
    kind,
    pattern: /exceed context limit: (?<input>\d{1,12}) \+ \d{1,12} > (?<limit>\d{1,12})/,
    accept: promptIsSmall,
    provider: 'Anthropic',
    why: 'as before, in the words of continuedev/continue#6080',
  },
  {
    kind,
    pattern: /max_new_tokens must be <= (?<limit>\d{1,12})\. given: (?<input>\d{1,12}) inputs tokens/,
    accept: promptIsSmall,
    provider: 'Hugging Face, Together',
    why: 'as before, in the words of BerriAI/litellm#4934',
  },
]

/** Below a quarter of the window a shorter history is no cure; a smaller `max_tokens` is. */
function promptIsSmall({ groups }: RegExpExecArray): boolean {
  const number = (name: string) => Number(groups?.[name]?.replaceAll(',', ''))
  return number('input') * 4 < number('limit')
}
