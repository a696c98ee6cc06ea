// Floor 1. Token counts as the sender's attributes tell them, before they are made to agree with each other.

import { anyOf } from '../../otlp/names.ts'
import type { Reading } from '../reading.ts'
import { firstCount } from './count.ts'

/** Counts as told. Null: not told. Whether `input` holds the cache and `output` the reasoning is not yet known. */
export type ToldUsage = {
  input: number | null
  output: number | null
  total: number | null
  cached: number | null
  cacheWrite: number | null
  cacheWrite5m: number | null
  cacheWrite1h: number | null
  reasoning: number | null
  /** The dialect is known to count the cache beside the input. */
  cacheIsBeside: boolean
}

const flat = {
  input: anyOf(
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'llm.usage.prompt_tokens',
  ),
  output: anyOf(
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    'llm.usage.completion_tokens',
  ),
  total: anyOf('gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total', 'ai.usage.totalTokens'),
  cached: anyOf(
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cache_read_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.cached_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'llm.token_count.prompt_details.cache_input',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.cachedInputTokens',
  ),
  cacheWrite: anyOf(
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'gen_ai.usage.cache_write_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.details.cache_creation_input_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ),
  reasoning: anyOf(
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'ai.usage.reasoningTokens',
    'gen_ai.usage.experimental.reasoning_tokens',
  ),
}
const write5mNames = anyOf(
  'gen_ai.usage.cache_creation.input_tokens.ephemeral_5m',
  'anthropic.usage.cache_creation.ephemeral_5m_input_tokens',
)
const write1hNames = anyOf(
  'gen_ai.usage.cache_creation.input_tokens.ephemeral_1h',
  'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
)

/** Names without a namespace: Claude Code's own, and plain enough that hand-made spans use them as well. */
const bare = {
  input: anyOf('input_tokens'),
  output: anyOf('output_tokens'),
  cached: anyOf('cache_read_tokens', 'cache_read_input_tokens'),
  cacheWrite: anyOf('cache_creation_tokens', 'cache_creation_input_tokens'),
}

const embeddingNames = anyOf('ai.usage.tokens')

/** The counts in flat attributes. `isCall`: llm or embedding. Cost: about 45 look-ups, 5 more on a call without usage. */
export function readToldUsage(
  { attributes, flags, isClaudeCode, countsCacheBeside }: Reading,
  isCall: boolean,
): ToldUsage {
  const told: ToldUsage = {
    input: firstCount(attributes, flat.input, flags),
    output: firstCount(attributes, flat.output, flags),
    total: firstCount(attributes, flat.total, flags),
    cached: firstCount(attributes, flat.cached, flags),
    cacheWrite: firstCount(attributes, flat.cacheWrite, flags),
    cacheWrite5m: firstCount(attributes, write5mNames, flags),
    cacheWrite1h: firstCount(attributes, write1hNames, flags),
    reasoning: firstCount(attributes, flat.reasoning, flags),
    cacheIsBeside: countsCacheBeside,
  }
  if (!isCall && !isClaudeCode) return told
  if (told.input === null) {
    told.input = firstCount(attributes, bare.input, flags)
    if (isClaudeCode && told.input !== null) told.cacheIsBeside = true
  }
  told.output ??= firstCount(attributes, bare.output, flags)
  told.cached ??= firstCount(attributes, bare.cached, flags)
  told.cacheWrite ??= firstCount(attributes, bare.cacheWrite, flags)
  if (told.input === null) told.input = firstCount(attributes, embeddingNames, flags)
  return told
}
