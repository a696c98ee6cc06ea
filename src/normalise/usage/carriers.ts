// Floor 1. Token counts inside JSON attributes: usage objects of providers, LangChain's usage metadata, Langfuse's details.
import type { Kind } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../otlp/names.ts'
import { first, has } from '../attribute.ts'
import { isObject, type JsonObject } from '../json.ts'
import { readLangChainUsage } from '../langchain.ts'
import type { Reading } from '../reading.ts'
import {
  mlflowOutputNames,
  openInferenceKindNames,
  openInferenceOutputNames,
  vercelMetadataNames,
} from '../shared-names.ts'
import { readCount } from './count.ts'
import { fillFromLangfuse } from './langfuse.ts'
import { fillFromProviderUsage, fillFromUsage, usageOfAnswer } from './provider-usage.ts'
import { usageInRepr } from './python-repr.ts'
import type { ToldUsage } from './told.ts'

const inputDetailNames = anyOf('gen_ai.usage.input_token_details')
const outputDetailNames = anyOf('gen_ai.usage.output_token_details')
const langChainUsageNames = anyOf('langsmith.metadata.usage_metadata')
/** Logfire's. */
const rawUsageNames = anyOf('gen_ai.usage.raw')
const googleResponseNames = anyOf('gcp.vertex.agent.llm_response')
const mlflowUsageNames = anyOf('mlflow.chat.tokenUsage')
const langfuseNames = anyOf('langfuse.observation.usage_details')

function fillFromVercel(metadata: JsonObject, told: ToldUsage, flags: Set<Flag>): void {
  const { openai, anthropic, bedrock } = metadata
  if (isObject(openai)) {
    told.cached ??= readCount(openai['cachedPromptTokens'], flags)
    told.reasoning ??= readCount(openai['reasoningTokens'], flags)
  }
  // SDK 5 and older repeat Anthropic's own input, which leaves the cache out; SDK 6 adds it up.
  for (const provider of [anthropic, bedrock]) {
    const usage = isObject(provider) ? provider['usage'] : undefined
    if (isObject(usage)) fillFromProviderUsage(usage, told, flags)
  }
  if (!isObject(anthropic)) return
  told.cached ??= readCount(anthropic['cacheReadInputTokens'], flags)
  told.cacheWrite ??= readCount(anthropic['cacheCreationInputTokens'], flags)
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

/** What in a provider's answer tells a count that is still open. A text without it is not worth its parse. */
function hasOpenCount(answer: string, told: ToldUsage): boolean {
  const isSplitOpen = told.cacheWrite5m === null && told.cacheWrite1h === null && told.cacheWrite !== 0
  return (
    (isSplitOpen && answer.includes('ephemeral_')) ||
    (told.reasoning === null && answer.includes('reasoning_tokens')) ||
    (told.cached === null && (answer.includes('cached_tokens') || answer.includes('cache_read_input_tokens'))) ||
    (told.input === null && answer.includes('"usage"'))
  )
}

/** OpenInference keeps the provider's whole answer, whose usage is finer than the counts that it has names for. */
function fillFromAnswer(reading: Reading, told: ToldUsage, kind: Kind): void {
  const { attributes, flags } = reading
  if (!has(attributes, openInferenceKindNames)) return
  // The answers of embeddings are long, and tell nothing more than the input.
  if (told.input !== null && kind === 'embedding') return
  const answer = first(attributes, openInferenceOutputNames)
  if (typeof answer !== 'string' || !hasOpenCount(answer, told)) return
  if (reading.isLangChain) {
    const usage = readLangChainUsage(reading)
    if (usage !== null) fillFromLangChain(usage, told, flags)
    return
  }
  const parsed = reading.object(openInferenceOutputNames)
  if (parsed === null) return
  // smolagents keeps what Python prints of the answer.
  const printed = parsed['raw']
  const usage = usageOfAnswer(parsed) ?? (typeof printed === 'string' ? usageInRepr(printed) : null)
  if (usage !== null) fillFromProviderUsage(usage, told, flags)
}

/** MLflow's own counts, which have no reasoning and are absent on embeddings; then those in the provider's whole answer. */
function fillFromMlflow(reading: Reading, told: ToldUsage): void {
  const usage = reading.object(mlflowUsageNames)
  if (usage !== null) fillFromUsage(usage, told, reading.flags)
  const answer = reading.object(mlflowOutputNames)
  const ofAnswer = answer === null ? null : usageOfAnswer(answer)
  if (ofAnswer !== null) fillFromProviderUsage(ofAnswer, told, reading.flags)
}

/** Fills what the flat attributes left open. Parses only the JSON that is there. */
export function fillFromCarriers(reading: Reading, told: ToldUsage, kind: Kind): void {
  const { flags } = reading
  const metadata = reading.object(vercelMetadataNames)
  if (metadata !== null) fillFromVercel(metadata, told, flags)
  fillFromDetails(reading.object(inputDetailNames), reading.object(outputDetailNames), told, flags)
  const google = reading.object(googleResponseNames)
  const googleUsage = google === null ? null : usageOfAnswer(google)
  if (googleUsage !== null) fillFromProviderUsage(googleUsage, told, flags)
  const buckets = reading.object(langfuseNames)
  if (buckets !== null) fillFromLangfuse(buckets, told, flags)
  if (kind !== 'llm' && kind !== 'embedding') return
  const langChain = reading.object(langChainUsageNames)
  if (langChain !== null) fillFromLangChain(langChain, told, flags)
  const raw = reading.object(rawUsageNames)
  if (raw !== null) fillFromProviderUsage(raw, told, flags)
  fillFromAnswer(reading, told, kind)
  if (reading.isMlflow) fillFromMlflow(reading, told)
}
