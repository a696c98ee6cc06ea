// Reads the usage object of a provider's own answer (OpenAI, Anthropic, Gemini or Bedrock), which some instrumentations pass on.
import type { Flag } from '../../event/flag.ts'
import { isObject, type JsonObject } from '../json.ts'
import { firstCountIn, readOutputOf } from './count.ts'
import type { ReportedUsage } from './reported-usage.ts'

const inputKeys = ['input_tokens', 'prompt_tokens', 'prompt_token_count', 'promptTokenCount', 'inputTokens']
const outputKeys = [
  'output_tokens',
  'completion_tokens',
  'candidates_token_count',
  'candidatesTokenCount',
  'outputTokens',
]
const totalKeys = ['total_tokens', 'total_token_count', 'totalTokenCount', 'totalTokens']
const cachedKeys = [
  'cache_read_input_tokens',
  'cached_content_token_count',
  'cachedContentTokenCount',
  'cacheReadInputTokens',
  'cached_tokens',
  'cache_read_tokens',
]
/** Haystack's name of Bedrock's count. */
const haystackWriteKey = 'cache_write_input_tokens'
const writeKeys = ['cache_creation_input_tokens', 'cacheWriteInputTokens', 'cache_write_tokens', haystackWriteKey]
/** The last one is Anthropic's. */
const reasoningKeys = ['thoughts_token_count', 'thoughtsTokenCount', 'reasoning_tokens', 'thinking_tokens']
/** Gemini's count of what its own tools returned, which its prompt does not include. */
const toolUseKeys = ['tool_use_prompt_token_count', 'toolUsePromptTokenCount']
const inputDetailKeys = ['prompt_tokens_details', 'input_tokens_details']
const outputDetailKeys = ['completion_tokens_details', 'output_tokens_details']
/** Members that split the cache writes by lifetime. The second is LiteLLM's, inside the details of the input. */
const splitKeys = ['cache_creation', 'cache_creation_token_details']
/** If an object has one of these inputs together with one of the cache counts below, its input does not include the cache. */
const additiveInputKeys = ['input_tokens', 'inputTokens']
const additiveCacheKeys = [
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cacheReadInputTokens',
  'cacheWriteInputTokens',
]

function objectIn(object: JsonObject, keys: readonly string[]): JsonObject | null {
  for (const key of keys) {
    const inner = object[key]
    if (isObject(inner)) return inner
  }
  return null
}

/** Fills in missing counts from any such object. Its total is used only if its input is the one in use. */
export function fillFromUsage(usage: JsonObject, reported: ReportedUsage, flags: Set<Flag>): void {
  const inputDetails = objectIn(usage, inputDetailKeys)
  const outputDetails = objectIn(usage, outputDetailKeys)
  const split = objectIn(usage, splitKeys) ?? (inputDetails === null ? null : objectIn(inputDetails, splitKeys))
  const input = firstCountIn(usage, inputKeys, flags)
  const isSameInput = reported.input === null || reported.input === input
  reported.input ??= input
  reported.output ??= firstCountIn(usage, outputKeys, flags, readOutputOf(reported))
  if (isSameInput) reported.total ??= firstCountIn(usage, totalKeys, flags)
  const toolUse = isSameInput ? firstCountIn(usage, toolUseKeys, flags) : null
  if (toolUse !== null && toolUse > 0) {
    reported.input = (reported.input ?? 0) + toolUse
    flags.add('usage_adjusted')
  }
  reported.cached ??= firstCountIn(usage, cachedKeys, flags) ?? firstCountIn(inputDetails, cachedKeys, flags)
  reported.cacheWrite ??= firstCountIn(usage, writeKeys, flags) ?? firstCountIn(inputDetails, writeKeys, flags)
  reported.cacheWrite5m ??= firstCountIn(split, ['ephemeral_5m_input_tokens'], flags)
  reported.cacheWrite1h ??= firstCountIn(split, ['ephemeral_1h_input_tokens'], flags)
  reported.reasoning ??= firstCountIn(usage, reasoningKeys, flags) ?? firstCountIn(outputDetails, reasoningKeys, flags)
}

/** Whether the counts are itemized as OpenAI does, whose input includes the cache. Anthropic's only detail is its `thinking_tokens`. */
export function hasDetailsOfOpenAi(usage: JsonObject): boolean {
  const outputDetails = objectIn(usage, outputDetailKeys)
  return objectIn(usage, inputDetailKeys) !== null || (outputDetails !== null && !('thinking_tokens' in outputDetails))
}

/**
 * Returns the input of an object whose input does not include the cache; null for any other object. Haystack renames Bedrock's input to that
 * of OpenAI, but only Bedrock's usage has its name for the cache writes.
 */
function additiveInput(usage: JsonObject, flags: Set<Flag>): number | null {
  const renamed = haystackWriteKey in usage ? firstCountIn(usage, ['prompt_tokens'], flags) : null
  if (renamed !== null) return renamed
  const isAdditive = additiveCacheKeys.some((key) => key in usage) && !hasDetailsOfOpenAi(usage)
  return isAdditive ? firstCountIn(usage, additiveInputKeys, flags) : null
}

/**
 * As `fillFromUsage`, for an object that the provider itself wrote. In those of Anthropic and Bedrock the input does not include the cache.
 * If the sender's own input is the same number, it does not include the cache either; if it is the sum of input and cache, it does.
 */
export function fillFromProviderUsage(usage: JsonObject, reported: ReportedUsage, flags: Set<Flag>): void {
  fillFromUsage(usage, reported, flags)
  const input = additiveInput(usage, flags)
  if (input === null) return
  const cache = (firstCountIn(usage, cachedKeys, flags) ?? 0) + (firstCountIn(usage, writeKeys, flags) ?? 0)
  if (reported.input === input) reported.cacheIsAdditive = true
  else if (reported.input === input + cache) reported.cacheIsAdditive = false
}

/** Returns the usage object in a provider's whole answer; null where it has none. */
export const usageOfAnswer = (answer: JsonObject): JsonObject | null =>
  objectIn(answer, ['usage', 'usage_metadata', 'usageMetadata'])
