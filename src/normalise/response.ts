// Floor 1. What came back besides text and tokens: id, why it ended, how soon it began, which service tier.
import type { Kind } from '../event/event.ts'
import { anyOf, type Names } from '../otlp/names.ts'
import type { Attributes, AttributeValue } from '../otlp/span.ts'
import { among, asText, bounded, first, firstName, firstPresent, firstText, isTrue } from './attribute.ts'
import { isObject, parseStructure } from './json.ts'
import { readLangChainMessageId } from './langchain.ts'
import type { Reading } from './reading.ts'
import {
  mlflowOutputNames,
  openInferenceKindNames,
  openInferenceOutputNames,
  vercelMetadataNames,
} from './shared-names.ts'

const maxFinishReasons = 32
const maxWordChars = 64
/** A day: no first token takes longer. */
const maxTtftMs = 86_400_000

const responseIdNames = anyOf('gen_ai.response.id', 'ai.response.id')
const finishNames = anyOf(
  'gen_ai.response.finish_reasons',
  'gen_ai.response.finish_reason',
  'llm.finish_reason',
  'ai.response.finishReason',
  'llm.response.finish_reason',
  'llm.response.stop_reason',
  'gen_ai.finishReason',
  'anthropic.message.stop_reason',
  'gen_ai.completion.0.finish_reason',
)
const tierNames = anyOf(
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
  'gen_ai.response.service_tier',
  'anthropic.response.service_tier',
  'openai.request.service_tier',
  'gen_ai.openai.request.service_tier',
  'gen_ai.request.service_tier',
  'anthropic.request.service_tier',
)
/** The second is the standard's metric, which Vercel 7 writes on the span. */
const ttftSecondNames = anyOf('gen_ai.response.time_to_first_chunk', 'gen_ai.client.operation.time_to_first_chunk')
const ttftMetricNames = anyOf('gen_ai.server.time_to_first_token')
const ttftMsNames = anyOf('ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk', 'ttft_ms')
const beganNames = anyOf('langfuse.observation.completion_start_time')
const stopNames = anyOf('stop_reason')
const batchNames = anyOf('gen_ai.request.batch')

export type Answer = {
  readonly responseId: string | null
  readonly finishReasons: readonly string[]
  readonly serviceTier: string | null
  readonly batch: boolean
  readonly ttftMs: number | null
}

function readFinishReasons({ attributes, flags, span, isClaudeCode }: Reading): readonly string[] {
  let value = firstPresent(attributes, finishNames)
  if (value === undefined && isClaudeCode) value = first(attributes, stopNames)
  if (value === undefined && span.events.length > 0) {
    value = span.events.find((event) => event.name === 'gen_ai.choice')?.attributes.get('finish_reason')
  }
  if (value === undefined || value === null) return []
  const listed = typeof value === 'string' ? (parseStructure(value, flags) ?? value) : value
  const list = Array.isArray(listed) ? listed : [listed as AttributeValue]
  const reasons: string[] = []
  for (const item of list.slice(0, maxFinishReasons)) {
    const reason = asText(item as AttributeValue)
    if (reason !== null) reasons.push(bounded(reason, maxWordChars, flags))
  }
  return reasons
}

/** The first of `names` that holds a duration, in milliseconds; `factor` makes them of what it is told in. */
function firstMs(attributes: Attributes, names: Names, factor: number): number | null {
  for (const key of among(attributes, names)) {
    const text = asText(attributes.get(key))
    const ms = text === null ? Number.NaN : Number(text) * factor
    if (ms >= 0 && ms <= maxTtftMs) return ms
  }
  return null
}

function readTtftMs({ attributes, span, isStrands }: Reading): number | null {
  const told =
    firstMs(attributes, ttftSecondNames, 1_000) ??
    firstMs(attributes, ttftMsNames, 1) ??
    // Seconds by the standard's metric of this name; Strands writes milliseconds.
    firstMs(attributes, ttftMetricNames, isStrands ? 1 : 1_000)
  if (told !== null) return told
  const began = firstText(attributes, beganNames)
  if (began === null) return null
  const ms = Date.parse(began.replaceAll('"', '')) - Number(span.startTimeUnixNano / 1_000n) / 1_000
  return ms >= 0 && ms <= maxTtftMs ? ms : null
}

/** OpenInference and MLflow have no name for the id, but keep the provider's whole answer, which begins with it. */
const idOfAnswer = /^\{"id": ?"([^"\\]{1,256})"/

function readResponseId(reading: Reading, kind: Kind): string | null {
  const { attributes, flags } = reading
  const stated = firstName(attributes, responseIdNames, flags)
  if (stated !== null || kind !== 'llm') return stated
  const isOpenInference = first(attributes, openInferenceKindNames) === 'LLM'
  if (!isOpenInference && !reading.isMlflow) return null
  if (isOpenInference && reading.isLangChain) return readLangChainMessageId(reading)
  const answer = first(attributes, isOpenInference ? openInferenceOutputNames : mlflowOutputNames)
  return typeof answer === 'string' ? (idOfAnswer.exec(answer)?.[1] ?? null) : null
}

/** LangChain names a streamed answer by its own run, which is no id of the provider. */
const withoutRunId = (id: string | null): string | null => (id === null || /^(?:lc_)?run-/.test(id) ? null : id)

/** Reads the parts of an answer. Cost: about 25 look-ups. */
export function readAnswer(reading: Reading, kind: Kind): Answer {
  const { attributes, flags } = reading
  let tier = firstText(attributes, tierNames)
  if (tier === null) {
    const openai = reading.object(vercelMetadataNames)?.['openai']
    const stated = isObject(openai) ? openai['serviceTier'] : undefined
    if (typeof stated === 'string' && stated !== '') tier = stated
  }
  return {
    responseId: withoutRunId(readResponseId(reading, kind)),
    finishReasons: readFinishReasons(reading),
    serviceTier: tier === null ? null : bounded(tier, maxWordChars, flags),
    batch: isTrue(first(attributes, batchNames)) || tier === 'batch',
    ttftMs: readTtftMs(reading),
  }
}
