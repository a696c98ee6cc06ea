// The dialect of the built-in tracing of Anthropic's SDK.
import type { Dialect } from '../../merge/definition.ts'

export const anthropicSdk: Dialect = {
  name: 'anthropic-sdk',
  marks: { scopes: ['com.anthropic.sdk*', 'com.anthropic.claude-platform*'], spans: ['anthropic.'] },
  toolSpans: ['anthropic.tool_use '],
  late: {
    finishReasons: ['anthropic.message.stop_reason'],
    cacheWrite5mTokens: ['anthropic.usage.cache_creation.ephemeral_5m_input_tokens'],
    cacheWrite1hTokens: ['anthropic.usage.cache_creation.ephemeral_1h_input_tokens'],
  },
  reads: {
    kind({ span: { name } }) {
      if (!name.startsWith('anthropic.')) return null
      if (name.startsWith('anthropic.tool_use')) return 'tool'
      return /\b(?:messages|complete|completions)\b/.test(name) ? 'llm' : 'other'
    },
  },
}
