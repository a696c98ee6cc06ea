// Floor 1. Token counts inside JSON attributes: Vercel's provider metadata, LangChain's usage metadata, Google ADK's response.
import { anyOf } from '../../names.ts'
import type { Flag } from '../../span.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Reading } from '../reading.ts'
import { vercelMetadataNames } from '../shared-names.ts'
import { readCount } from './count.ts'
import { fillFromLangfuse } from './langfuse.ts'
import type { ToldUsage } from './told.ts'

const inputDetailNames = anyOf('gen_ai.usage.input_token_details')
const outputDetailNames = anyOf('gen_ai.usage.output_token_details')
const langChainUsageNames = anyOf('langsmith.metadata.usage_metadata')
const googleResponseNames = anyOf('gcp.vertex.agent.llm_response')
const langfuseNames = anyOf('langfuse.observation.usage_details')

/** The first count at one of these paths into a JSON object. */
function countAt(object: JsonObject, paths: readonly (readonly string[])[], flags: Set<Flag>): number | null {
  for (const path of paths) {
    let value: unknown = object
    for (const step of path) value = isObject(value) ? value[step] : undefined
    const count = value === undefined ? null : readCount(value, flags)
    if (count !== null) return count
  }
  return null
}

function fillFromVercel(metadata: JsonObject, told: ToldUsage, flags: Set<Flag>): void {
  told.cached ??= countAt(
    metadata,
    [
      ['openai', 'cachedPromptTokens'],
      ['anthropic', 'usage', 'cache_read_input_tokens'],
      ['anthropic', 'cacheReadInputTokens'],
      ['bedrock', 'usage', 'cacheReadInputTokens'],
    ],
    flags,
  )
  told.cacheWrite ??= countAt(
    metadata,
    [
      ['anthropic', 'usage', 'cache_creation_input_tokens'],
      ['anthropic', 'cacheCreationInputTokens'],
      ['bedrock', 'usage', 'cacheWriteInputTokens'],
    ],
    flags,
  )
  const split = ['anthropic', 'usage', 'cache_creation']
  told.cacheWrite5m ??= countAt(metadata, [[...split, 'ephemeral_5m_input_tokens']], flags)
  told.cacheWrite1h ??= countAt(metadata, [[...split, 'ephemeral_1h_input_tokens']], flags)
  told.reasoning ??= countAt(metadata, [['openai', 'reasoningTokens']], flags)
  // SDK 5 and older repeat Anthropic's own input, which leaves the cache out; SDK 6 adds it up.
  const raw = countAt(metadata, [['anthropic', 'usage', 'input_tokens']], flags)
  if (raw !== null && raw === told.input) told.cacheIsBeside = true
}

/** LangChain's UsageMetadata, of which LangSmith repeats only the totals as attributes. Its input holds the cache. */
function fillFromLangChain(usage: JsonObject, told: ToldUsage, flags: Set<Flag>): void {
  told.input ??= readCount(usage['input_tokens'], flags)
  told.output ??= readCount(usage['output_tokens'], flags)
  fillFromDetails(usage['input_token_details'], usage['output_token_details'], told, flags)
}

function fillFromDetails(input: unknown, output: unknown, told: ToldUsage, flags: Set<Flag>): void {
  if (isObject(input)) {
    told.cached ??= readCount(input['cache_read'], flags)
    told.cacheWrite ??= readCount(input['cache_creation'], flags)
    told.cacheWrite5m ??= readCount(input['ephemeral_5m_input_tokens'], flags)
    told.cacheWrite1h ??= readCount(input['ephemeral_1h_input_tokens'], flags)
  }
  if (isObject(output)) told.reasoning ??= readCount(output['reasoning'], flags)
}

function fillFromGoogle(response: JsonObject, told: ToldUsage, flags: Set<Flag>): void {
  const usage = response['usage_metadata']
  if (!isObject(usage)) return
  told.input ??= readCount(usage['prompt_token_count'], flags)
  told.output ??= readCount(usage['candidates_token_count'], flags)
  told.total ??= readCount(usage['total_token_count'], flags)
  told.cached ??= readCount(usage['cached_content_token_count'], flags)
  told.reasoning ??= readCount(usage['thoughts_token_count'], flags)
}

/** Fills what the flat attributes left open. Parses only the JSON that is there. */
export function fillFromCarriers(reading: Reading, told: ToldUsage): void {
  const { flags } = reading
  const metadata = reading.object(vercelMetadataNames)
  if (metadata !== null) fillFromVercel(metadata, told, flags)
  fillFromDetails(reading.object(inputDetailNames), reading.object(outputDetailNames), told, flags)
  const langChain = reading.object(langChainUsageNames)
  if (langChain !== null) fillFromLangChain(langChain, told, flags)
  const response = reading.object(googleResponseNames)
  if (response !== null) fillFromGoogle(response, told, flags)
  const buckets = reading.object(langfuseNames)
  if (buckets !== null) fillFromLangfuse(buckets, told, flags)
}
