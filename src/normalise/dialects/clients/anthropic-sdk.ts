// The dialect of the built-in tracing of Anthropic's SDK.
import { anyOf } from '../../../event/names.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'
import { firstCount } from '../../usage/count.ts'
import type { ReportedUsage } from '../../usage/reported-usage.ts'

const compactionInputNames = anyOf('anthropic.usage.compaction.input_tokens')
const compactionOutputNames = anyOf('anthropic.usage.compaction.output_tokens')

/** Requests about messages that no model answers: `anthropic.messages.count_tokens`, `anthropic.messages.batches.retrieve`. */
const aboutMessages = /\.(?:count_tokens|batches)\b/

/**
 * Adds the tokens of the calls that shortened the conversation before the answer. The usage of the answer does not include them. If the price
 * depends on the size of the input, that of the sum may be higher than that of each of these calls.
 */
function addCompaction({ attributes, flags }: SpanReading, told: ReportedUsage): void {
  const input = firstCount(attributes, compactionInputNames, flags) ?? 0
  const output = firstCount(attributes, compactionOutputNames, flags) ?? 0
  if (input + output === 0) return
  told.input = (told.input ?? 0) + input
  told.output = (told.output ?? 0) + output
  flags.add('usage_adjusted')
}

export const anthropicSdk: Dialect = {
  name: 'anthropic-sdk',
  marks: { scopes: ['com.anthropic.sdk*', 'com.anthropic.claude-platform*'], spans: ['anthropic.'] },
  toolSpans: ['anthropic.tool_use '],
  late: {
    finishReasons: ['anthropic.message.stop_reason'],
    cacheWrite5mTokens: ['anthropic.usage.cache_creation.ephemeral_5m_input_tokens'],
    cacheWrite1hTokens: ['anthropic.usage.cache_creation.ephemeral_1h_input_tokens'],
    toolResult: ['anthropic.tool_result.content'],
  },
  content: { out: ['anthropic.tool_result.content'] },
  reads: {
    kind({ span: { name } }) {
      if (!name.startsWith('anthropic.')) return null
      if (name.startsWith('anthropic.tool_use')) return 'tool'
      return /\b(?:messages|complete|completions)\b/.test(name) && !aboutMessages.test(name) ? 'llm' : 'other'
    },
    /** The loop that runs the tools of a request is reported as an agent without a name. */
    isAgentUnknown: { on: { own: true }, read: (_, _kind, name) => name.startsWith('anthropic.') },
    callUsage: { on: { attributes: [...compactionInputNames.all, ...compactionOutputNames.all] }, read: addCompaction },
  },
}
