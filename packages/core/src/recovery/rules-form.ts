// The history breaks a rule on roles, empty content, unicode, media or thinking.

import type { ProviderErrorRule } from './rule.ts'

const kind = 'invalid-messages'

export const formRules: readonly ProviderErrorRule[] = [
  {
    kind,
    pattern:
      /roles? must alternate|must alternate (?:between )?user|alternates? between user and assistant|successive user or assistant|consecutive (?:user|assistant) messages? (?:are|is) not/,
    why: 'FlowiseAI/Flowise#2006, langgenius/dify#9294, Aider-AI/aider#2974, idiap/sdialog#122 (a 500), vllm-project/vllm#6862',
  },
  {
    kind,
    pattern:
      /must (?:start|begin|end) with a user message|(?:first|last) message\b.{0,80}?must (?:be a user message|use the user role)|expected last role user or tool/,
    why: 'langgenius/dify#12340, lobehub/lobehub#1601, ChatGPTNextWeb/NextChat#6343, olimorris/codecompanion.nvim#760, 0xPlaygrounds/rig#1130',
  },
  {
    kind,
    pattern:
      /assistant (?:message|response) prefill|final assistant content cannot end|2 or more assistant messages at the end/,
    provider: 'Anthropic, llama.cpp',
    why: 'smallmain/vscode-unify-chat-provider#249, tailcallhq/forgecode#1872, anomalyco/opencode#27920',
  },
  {
    kind,
    pattern:
      /unexpected role (?:system|user|assistant|tool|function)\b|invalid message role: (?:system|tool|function)|system message must be (?:at the beginning|the first)|invalid chat setting/,
    provider: 'Mistral, MiniMax, Qwen',
    why: 'datapizza-labs/datapizza-ai#98, MiniMax-AI/MiniMax-M2.7#43, openclaw/openclaw#19386; the role "developer" is the adapter’s (decolua/9router#773)',
  },
  {
    kind,
    pattern:
      /at least one message is required|messages do not contain elements with the role of user|no user query found in messages|contents is not specified|at least one (?:contents|parts) field|messages must not be empty|\[\] is too short - messages|\bmessages(?:\[\d{1,6}\]\.\w{1,40})?: empty array/,
    why: 'nothing or nobody’s question left: langchain-ai/langchain#31657, agentscope-ai/agentscope-java#613, ikechan8370/chatgpt-plugin#733, genkit-ai/genkit#3690, zebbern/Devonz#4',
  },
  {
    kind,
    pattern:
      /must have non-empty content|content blocks must (?:be non-empty|contain non-whitespace)|text content is empty|chat content is empty|empty text parameter|contents\.parts must not be empty|parts\[\d{1,6}\]\.data: required oneof/,
    provider: 'Anthropic, Gemini, Kimi, GLM',
    why: 'anthropics/claude-code#6774, BerriAI/litellm#22979, egoist/chatwise-releases#250, glowingjade/obsidian-smart-composer#218, boldsoftware/sketch#68, dirge-code/dirge#757',
  },
  {
    kind,
    pattern:
      /message at position \d{1,6} with role \w{1,20} must not be empty|contentblock object at messages.{0,60} is blank|toolresult cannot be empty|at least one (?:non-empty )?content element|an empty message was provided|elements in history must have a message/,
    provider: 'Kimi, Bedrock, xAI, Cohere',
    why: 'anomalyco/opencode#37887, aws-samples/bedrock-engineer#8, AstrBotDevs/AstrBot#6447, langbot-app/LangBot#1205, langchain-ai/langchain-cohere#15',
  },
  {
    kind,
    pattern:
      /content: expected (?:a string|one of a string)\b.{0,60}got null|invalid message content type: <nil>|content is a required property - messages|invalidparameter: the content field is a required field|must have either content or tool_calls|content or tool_calls must be set|content ?和 ?tool_calls ?字段不能同时为空/,
    provider: 'OpenAI, Ollama, Qwen, Mistral, DeepSeek, GLM',
    why: 'run-llama/llama_index#17555, QwenLM/qwen-code#3350, QwenLM/qwen-code#5265, OpenHands/OpenHands#8685, carlrobertoh/ProxyAI#834, songquanpeng/one-api#1153',
  },
  {
    kind,
    pattern:
      /\bmessages ?参数(?:非法|错误|有误|不合法)|the messages parameter is illegal|(?:\bmessages(?:\[\d{1,6}\])?|消息列表|对话历史|历史消息)(?:中|里)?的?[^,.。;;]{0,16}(?:不能(?:同时)?为空|顺序(?:错误|不正确|不合法)|必须交替|不合法)/,
    provider: 'GLM',
    why: 'MetaGLM/zhipuai-sdk-python-v4#14, continuedev/continue#13259; the same code 1214 names other parameters too (songquanpeng/one-api#1141)',
  },
  {
    kind,
    pattern:
      /\b(?:no|lone|unpaired|invalid|unmatched|unexpected)(?: \w{1,12})? surrogates?\b|surrogates not allowed/,
    why: 'anthropics/claude-code#2108',
  },
  {
    kind,
    pattern: /image dimensions exceed max allowed size/,
    isMedia: true,
    provider: 'Anthropic',
    why: 'anthropics/claude-code#49537, anthropics/claude-code#4778: a stored image that every request sends again',
  },
  {
    kind,
    pattern:
      /signature in thinking block|thinking or redacted_thinking|cannot contain thinking\b|(?:thought|thinking)[ _]?signature|thoughtsignature|reasoningcontent\.\w{1,40}|content\[\]\.thinking\b.{0,60}passed back|both content and thinking in an assistant message/,
    provider: 'Anthropic, Gemini, Bedrock, DeepSeek, llama.cpp',
    why: 'tombii/better-ccflare#52, anthropics/claude-code#63574, Kilo-Org/kilocode#5219, tailcallhq/forgecode#1853, google-gemini/gemini-cli#13467, earendil-works/pi#654, esengine/DeepSeek-Reasonix#8902, ggml-org/llama.cpp#17040',
  },
  {
    kind,
    pattern:
      /missing reasoning_content\b|reasoning_content\b(?: field)? is missing|reasoning_content\b.{0,60}passed back|messages\.\d{1,6}\.\w{1,20}\.reasoning\w{0,20}: property|messages\.\d{1,6} : property (?:reasoning|tool_calls|tool_call_id)\w{0,20} is unsupported/,
    provider: 'DeepSeek, Kimi, Groq, Cerebras',
    why: 'continuedev/continue#11285, earendil-works/pi#3636, continuedev/continue#11600, karthink/gptel#774, SimonSchubert/Kai#265, Alishahryar1/free-claude-code#1136',
  },
  {
    kind,
    codes: ['invalid_encrypted_content'],
    provider: 'OpenAI Responses',
    why: 'openai/codex#8132, openai/codex#17541',
  },
  {
    kind,
    pattern: /encrypted content\b.{0,200}could not be verified|was provided without its required/,
    provider: 'OpenAI Responses',
    why: 'openai/codex#8132, continuedev/continue#8933, continuedev/continue#11994',
  },
  {
    kind,
    pattern: /(?:^|[ :([{])messages\.\d{1,6}\.content(?:\.\d{1,6}(?:\.[\w-]{1,60}){0,8})?: \S/,
    provider: 'Anthropic',
    why: 'a block of the history by its place: tailcallhq/forgecode#1142, andreasjansson/greger.el#60, anthropics/claude-code#12699 (stuck for good)',
  },
]
