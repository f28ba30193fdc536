// More was sent than the model's window or the endpoint's body limit holds: a shorter history cures it.

import type { ProviderErrorRule } from './rule.ts'

const kind = 'context-overflow'

export const overflowRules: readonly ProviderErrorRule[] = [
  {
    kind,
    codes: [
      'context_length_exceeded',
      'context_window_exceeded',
      'model_context_window_exceeded',
      'context_overflow',
      'request_too_large',
      'tokens_too_long',
      'model_max_prompt_tokens_exceeded',
      'exceed_context_size_error',
      'too_many_prompt_tokens',
    ],
    why: 'codes that say it all: dyad-sh/dyad#1672, cloud.baidu.com/doc/qianfan-api, ggml-org/llama.cpp#15780, microsoft/copilot-intellij-feedback#94',
  },
  {
    kind,
    codes: ['1261'],
    pattern: /prompt|input|token|length|context|超长|过长/,
    provider: 'GLM',
    why: 'docs.bigmodel.cn/cn/api/api-code, zeroclaw-labs/zeroclaw#4124; with its text, for other systems count to 1261 too',
  },
  {
    kind,
    pattern: /(?<!\b(?:image|negative|system|video|music|cache) )prompt (?:is )?too long\b/,
    provider: 'Anthropic',
    why: 'stackblitz-labs/bolt.diy#401, aaif-goose/goose#7504, anthropics/claude-code#2569 (413 of Vertex)',
  },
  {
    kind,
    pattern: /prompt tokens? too long|prompt exceeds (?:the )?max(?:imum)? length/,
    provider: 'Baidu, GLM',
    why: 'cloud.baidu.com/doc/qianfan-api, farion1231/cc-switch#6982',
  },
  {
    kind,
    pattern:
      /\binput (?:(?:is )?too long for|(?:tokens? )?length (?:is )?too long|prompt \(\d{1,12} tokens\) is too long)|too many total text bytes|too many input tokens(?! per)/,
    provider: 'Bedrock, Kimi, vLLM',
    why: 'aws-samples/assessment-generator#2, platform.kimi.com/docs/api/errors, vllm-project/vllm#525, strands-agents/sdk-python models/bedrock.py',
  },
  {
    kind,
    pattern:
      /exceed(?:s|ed|ing)? (?:the |this |our |models? |available |maximum |max |allowed |total ){0,4}(?:context (?:window|limit|length|size)|n_ctx)\b/,
    why: 'dyad-sh/dyad#1672, continuedev/continue#6080, continuedev/continue#9797, anomalyco/opencode#25230, rllm-team/rllm#55',
  },
  {
    kind,
    pattern:
      /(?<!execution |browser |webgl )context (?:window|length|size|limit) (?:(?:of|for) (?:this|the) model )?(?:has been |was |is )?exceed(?:s|ed)\b/,
    why: 'MiniMax-AI/MiniMax-M2#119; LM Studio',
  },
  {
    kind,
    pattern:
      /maximum (?:context|prompt) length (?:is|of) \d{1,12}|too large for (?:the )?model with \d{1,12} maximum/,
    why: 'chathub-dev/chathub#126, cline/cline#3120, refly-ai/refly#1177; Mistral: earendil-works/pi utils/overflow.ts',
  },
  {
    kind,
    pattern: /(?:longer|greater) than the (?:models? )?(?:context length|maximum model length)/,
    provider: 'SGLang, vLLM, LM Studio',
    why: 'QwenLM/Qwen3#1321, xorbitsai/inference#3785, hiyouga/LlamaFactory#7723; earendil-works/pi utils/overflow.ts',
  },
  {
    kind,
    pattern: /tokens when (?:the )?context (?:the )?overflows|reached context length of \d{1,12} tokens/,
    provider: 'LM Studio',
    why: 'lmstudio-ai/lmstudio-bug-tracker#546, lmstudio-ai/lmstudio-bug-tracker#1024',
  },
  {
    kind,
    pattern:
      /\binput (?:token count.{0,40}? )?exceeds the maximum number of (?:input )?tokens|input length [\d,]{1,15} tokens exceeds the model limit|(?:number of )?input tokens (?:\(\d{1,12}\) )?(?:has )?exceed(?:s|ed)? (?:the |models? |model |configured |maximum |max ){0,3}(?:token |input |prompt )?(?:limit|length|max_prompt_tokens)/,
    provider: 'Gemini, OpenAI, Bedrock Nova',
    why: 'google-gemini/gemini-cli#4692, cline/cline#5474, leookun/cursor-byok#129, forcedotcom/Einstein-GPT-for-Developers#228',
  },
  {
    kind,
    pattern:
      /prompt has [\d,]{1,15} tokens, but the configured context size is|tokens in request more than max tokens allowed|total length of all messages is too long|ran out of (?:room|space) in the (?:models? )?context window/,
    provider: 'GLM, Codex',
    why: 'anomalyco/opencode packages/llm/test/provider-error.test.ts; vals-ai/model-library, its tests of retries',
  },
  {
    kind,
    pattern: /prompt token count (?:of )?\d{1,12} exceeds (?:the limit of|max token count of) \d/,
    provider: 'GitHub Copilot',
    why: 'jjleng/copilot-more#35, danny-avila/LibreChat#3651',
  },
  {
    kind,
    pattern: /exceeded model token limit/,
    provider: 'Kimi',
    why: 'MoonshotAI/kimi-cli#2011',
  },
  {
    kind,
    pattern: /length of prompt_tokens \(\d{1,12}\) must be less than max_seq_len/,
    provider: 'SiliconFlow',
    why: 'chatboxai/chatbox#2060',
  },
  {
    kind,
    pattern: /range of input length should be/,
    provider: 'Qwen',
    why: 'help.aliyun.com/zh/model-studio/error-code, QwenLM/qwen-code#98',
  },
  {
    kind,
    pattern:
      /input length (?:\(\d{1,12} tokens\) )?exceeds (?:the )?maximum allowed (?:input )?length|exceeds? (?:the )?maximum allowed input length|max input characters/,
    provider: 'SGLang, Baidu',
    why: 'sgl-project/sglang#4048; earendil-works/pi utils/overflow.ts',
  },
  {
    kind,
    pattern:
      /reduce the length of (?:the |your |either )?(?:input )?(?:messages?|prompt|input|conversation|one\b)|current length is \d{1,12} while limit is \d/,
    provider: 'Groq, Cerebras',
    why: 'unclecode/crawl4ai#44, cline/cline#5140, anomalyco/opencode#1551',
  },
  {
    kind,
    pattern: /inputs tokens \+ max_new_tokens must be <=|inputs must have less than \d{1,12} tokens/,
    provider: 'Hugging Face, Together',
    why: 'BerriAI/litellm#4934, huggingface/llm-vscode#94',
  },
  {
    kind,
    pattern: /too many tokens: (?:total number of tokens|size limit exceeded)/,
    provider: 'Cohere',
    why: 'cohere-ai/sandbox-topically#4; bare "too many tokens" is a rate limit elsewhere',
  },
  {
    kind,
    pattern: /total tokens of image and text exceed max message tokens/,
    provider: 'Volcengine',
    why: 'agentscope-ai/QwenPaw#272',
  },
  {
    kind,
    pattern:
      /(?:\b(?:input|messages)\[\d{1,6}\]\.(?:content|output|tool_calls\[\d{1,4}\]\.function\.arguments)[\w.[\]]{0,40}|\binvalid input): string too long/,
    provider: 'OpenAI',
    why: 'VectorlyApp/bluebox#31; too long an id is another matter (agno-agi/agno#5382)',
  },
  {
    kind,
    pattern: /value at body failed to satisfy constraint: member must have length less than or equal/,
    provider: 'Bedrock',
    why: 'langchain-ai/langchain-aws#419',
  },
  {
    kind,
    pattern:
      /(?:^|[:\d] )request (?:size )?exceeds (?:the )?maximum (?:size|allowed number of bytes)|request payload size exceeds the limit|maximum request body size \d{1,12} exceeded|sent message larger than max \(\d{1,12} vs\. \d{1,12}\)|\b413 (?:request entity|payload|content) too large/,
    why: 'the body’s bytes: earendil-works/pi utils/overflow.ts, google-gemini/gemini-cli#13776, google-gemini/deprecated-generative-ai-android#26, vals-ai/model-library, its tests of retries (gRPC)',
  },
  {
    kind,
    statuses: [413],
    pattern: /(?:request entity|payload|content) too large/,
    why: 'what a server in front of the provider answers to too large a body (RFC 9110, 15.5.14)',
  },
  {
    kind,
    pattern:
      /(?:上下文|prompt|提示词|输入|对话历史|历史消息)(?:内容|文本|消息|窗口)?的? ?(?:tokens? ?)?(?:总)?(?:长度|数量?|大小)?(?:已|已经)? ?(?:超长|过长|太长|超限|超(?:过|出)[^,.。;;]{0,16}(?:长度|上限|限制|窗口|tokens?|\d{3}))|超出最大上下文|请压缩上下文/,
    provider: 'GLM',
    why: 'docs.bigmodel.cn/cn/api/api-code, and gateways that translate',
  },
]
