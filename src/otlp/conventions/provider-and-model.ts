// Floor 1. Who served a model call, and which model.
import { canonicalProvider, isKnownProvider } from '../../pricing/provider.ts'
import type { Attributes } from '../span.ts'
import { among, asText, bounded, firstName, maxNameChars } from './attribute.ts'
import { readLangChainNote } from './langchain.ts'
import type { Reading } from './reading.ts'

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

const providerNames = [
  'gen_ai.provider.name',
  'gen_ai.system',
  'llm.provider',
  'llm.system',
  'ai.model.provider',
  'aisdk.model.provider',
  'traceloop.association.properties.ls_provider',
]

const requestModelNames = [
  'gen_ai.request.model',
  'llm.request.model_name',
  'llm.model_name',
  'embedding.model_name',
  'ai.model.id',
  'aisdk.model.id',
  'langfuse.observation.model.name',
  'gen_ai.request_model',
]
const bareModelNames = ['model', 'model_name']
const responseModelNames = [
  'gen_ai.response.model',
  'llm.response.model_name',
  'ai.response.model',
  'langfuse.observation.model.name',
  'llm.response.model',
  'gen_ai.response_model',
]

// Vercel writes `provider.endpoint`: of a provider that is not known, the front is its name.
const dottedByVercel: ReadonlySet<string> = new Set(['ai.model.provider', 'aisdk.model.provider'])

function readName(attribute: string, raw: string): string | null {
  const provider = canonicalProvider(raw)
  if (provider === null || !dottedByVercel.has(attribute) || isKnownProvider(provider)) return provider
  return canonicalProvider(provider.split('.')[0] ?? '')
}

function providerOfHost(attributes: Attributes): string | null {
  const host = asText(attributes.get('server.address'))?.toLowerCase()
  if (host === undefined) return null
  for (const [suffix, provider] of hosts) if (host.endsWith(suffix)) return provider
  return host.startsWith('bedrock') && host.endsWith('.amazonaws.com') ? 'aws.bedrock' : null
}

/** The provider in the OpenTelemetry registry's words, in lower case; null where none is told. */
export function readProvider(reading: Reading): string | null {
  const { attributes, flags } = reading
  for (const name of among(attributes, providerNames)) {
    const raw = asText(attributes.get(name))
    const provider = raw === null ? null : readName(name, raw)
    if (provider !== null) return bounded(provider, maxNameChars, flags)
  }
  const noted = readLangChainNote(reading, 'ls_provider')
  const provider = noted === null ? null : readName('ls_provider', noted)
  return provider === null ? providerOfHost(attributes) : bounded(provider, maxNameChars, flags)
}

/** The model asked for, and the one that answered (else the one asked for): what is priced. `isCall`: llm or embedding. */
export function readModels(
  { attributes, flags, isClaudeCode, isPydanticAi }: Reading,
  isCall: boolean,
): { requestModel: string | null; model: string | null } {
  let requestModel = firstName(attributes, requestModelNames, flags)
  // `model` alone may be a car's: only a model call, or a dialect known to write it, means a language model.
  if (requestModel === null && (isCall || isClaudeCode || isPydanticAi)) {
    requestModel = firstName(attributes, bareModelNames, flags)
  }
  return { requestModel, model: firstName(attributes, responseModelNames, flags) ?? requestModel }
}
