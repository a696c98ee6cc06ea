// Reads which provider served a model call, and which model.

import type { Flag } from '../event/flag.ts'
import type { Names } from '../event/names.ts'
import type { Attributes } from '../event/span.ts'
import { canonicalProvider, splitProviderAndModel } from '../pricing/provider.ts'
import { firstAnswer, isAnyTrue } from './asked-reads.ts'
import { asText, bounded, firstName, firstText, maxNameChars } from './attribute.ts'
import { readNamedCall } from './named-call.ts'
import { firstProvider } from './provider-name.ts'
import type { Reading } from './reading.ts'
import { isOf } from './span-reading.ts'
import { isOfAny, stepsBehindNames } from './text-steps.ts'

const hosts: readonly (readonly [host: string, provider: string])[] = [
  ['api.openai.com', 'openai'],
  ['openai.azure.com', 'azure.ai.openai'],
  ['api.anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.groq.com', 'groq'],
  ['api.cohere.com', 'cohere'],
  ['api.cohere.ai', 'cohere'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'x_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['openrouter.ai', 'openrouter'],
]

function providerOfHost({ attributes, dialects }: Reading): string | null {
  const host = firstText(attributes, dialects.names.host)?.toLowerCase()
  if (host === undefined) return null
  for (const [suffix, provider] of hosts) if (host.endsWith(suffix)) return provider
  return host.startsWith('bedrock') && host.endsWith('.amazonaws.com') ? 'aws.bedrock' : null
}

/** Returns the provider by its name in the OpenTelemetry registry, in lower case; null where none is stated and the host shows none. */
export function readProvider(reading: Reading): string | null {
  const stated = readStatedProvider(reading)
  const isNone = stated === null || isAnyTrue(reading, reading.dialects.reads.isProviderUnknown, stated)
  return isNone ? providerOfHost(reading) : bounded(stated, maxNameChars, reading.flags)
}

function readStatedProvider(reading: Reading): string | null {
  const steps = reading.dialects.texts.provider
  const { names: common } = steps
  const stated = common === null ? null : firstProvider(reading.attributes, common, canonicalProvider)
  if (stated !== null) return stated
  for (const { of, names, read } of stepsBehindNames(reading, steps)) {
    if (of !== null && !isOf(reading, of)) continue
    const provider = names === null ? read(reading, null) : firstProvider(reading.attributes, names, canonicalProvider)
    if (provider !== null) return provider
  }
  return null
}

/** Vendors on Bedrock. Some senders report the vendor as the model if a region precedes it, as in `us.anthropic.claude-sonnet-4-5`. */
const vendors: ReadonlySet<string> = new Set([
  'ai21',
  'amazon',
  'anthropic',
  'cohere',
  'deepseek',
  'meta',
  'mistral',
  'openai',
  'qwen',
  'writer',
])

const isNoModel = (name: string | null): boolean => name === null || vendors.has(name)

/** Words that senders write in place of a model that they do not know: Micrometer's for each missing value, and Traceloop's. */
const standIns: ReadonlySet<string> = new Set(['none', 'unknown'])

function firstModel(attributes: Attributes, names: Names, flags: Set<Flag>): string | null {
  const model = firstName(attributes, names, flags)
  return model !== null && standIns.has(model) ? null : model
}

/**
 * Returns the model from the call's parameters, from a function of a dialect or from the name of the span, for calls that failed before
 * their instrumentation named the model.
 */
function readOtherModel(reading: Reading): string | null {
  const parameter = reading.object(reading.dialects.names.modelParameters)?.['model']
  const model =
    typeof parameter === 'string'
      ? asText(parameter)
      : (firstAnswer(reading, reading.dialects.reads.model) ?? readNamedCall(reading)?.model ?? null)
  return model === null ? null : bounded(model, maxNameChars, reading.flags)
}

/** The API of OpenAI that was called. Mirascope appends it to the model. */
const api = /:(?:completions|responses)$/

/** The path of a publisher's model on Vertex AI. */
const publisherPath = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/[^/]+\/models\//

/**
 * Removes what is not part of the model's name: a prefix that only repeats the provider, which LiteLLM writes for some calls of a model
 * (`anthropic/claude-sonnet-4-5`), the path on Vertex AI, and the name of the API.
 */
function bareModel(name: string | null, provider: string | null): string | null {
  // Most names have none of these parts.
  if (name === null || !(name.includes('/') || name.includes(':'))) return name
  const model = name.replace(api, '').replace(publisherPath, '')
  const parts = splitProviderAndModel(model)
  return parts !== null && canonicalProvider(parts[0]) === provider ? parts[1] : model
}

/**
 * Returns the requested model, and the model to price: the one that answered, else the requested one. `isCall`: llm or embedding.
 * `provider`: as `readProvider` returned it.
 */
export function readModels(
  reading: Reading,
  isCall: boolean,
  provider: string | null,
): { requestModel: string | null; model: string | null } {
  const { attributes, flags, dialects } = reading
  const { names, bare, bareModelOf } = dialects
  let requestModel = firstModel(attributes, names.requestModel, flags)
  // `model` without a namespace may be that of a car. It is a language model on a model call, or in a dialect known to write it.
  if (requestModel === null && (isCall || isOfAny(reading, bareModelOf))) {
    requestModel = firstName(attributes, bare.requestModel, flags)
  }
  const responseModel = firstModel(attributes, names.responseModel, flags)
  if (isCall && responseModel === null && isNoModel(requestModel))
    requestModel = readOtherModel(reading) ?? requestModel
  return { requestModel, model: bareModel(responseModel ?? requestModel, provider) }
}
