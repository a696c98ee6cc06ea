// Floor 1. Who served a model call, and which model.

import { anyOf, type Names } from '../otlp/names.ts'
import type { Attributes } from '../otlp/span.ts'
import { canonicalProvider, isKnownProvider } from '../pricing/provider.ts'
import { among, asText, bounded, firstName, firstText, maxNameChars } from './attribute.ts'
import { readLangChainNote } from './langchain.ts'
import { readNamedCall } from './named-call.ts'
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

const providerNames = anyOf('gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system')
/** Vercel writes `provider.endpoint`: of a provider that is not known, the front is its name. */
const dottedProviderNames = anyOf('ai.model.provider', 'aisdk.model.provider')
const laterProviderNames = anyOf('traceloop.association.properties.ls_provider', 'langsmith.metadata.ls_provider')
/** MLflow names the client library, which is often that of a provider. */
const formatNames = anyOf('mlflow.llm.provider', 'mlflow.message.format')
const hostNames = anyOf('server.address')

const requestModelNames = anyOf(
  'gen_ai.request.model',
  'llm.request.model_name',
  'llm.model_name',
  'embedding.model_name',
  'ai.model.id',
  'aisdk.model.id',
  'langfuse.observation.model.name',
  'gen_ai.request_model',
  'langsmith.metadata.ls_model_name',
  'mlflow.llm.model',
)
const bareModelNames = anyOf('model', 'model_name')
const parameterNames = anyOf('llm.invocation_parameters', 'embedding.invocation_parameters')
const responseModelNames = anyOf(
  'gen_ai.response.model',
  'llm.response.model_name',
  'ai.response.model',
  'langfuse.observation.model.name',
  'llm.response.model',
  'gen_ai.response_model',
)

function undotted(raw: string): string | null {
  const provider = canonicalProvider(raw)
  return provider === null || isKnownProvider(provider) ? provider : canonicalProvider(provider.split('.')[0] ?? '')
}

function knownProvider(raw: string): string | null {
  const provider = canonicalProvider(raw)
  return provider !== null && isKnownProvider(provider) ? provider : null
}

/** The first of `names` that `canonical` takes for a provider. */
function firstProvider(attributes: Attributes, names: Names, canonical: typeof canonicalProvider): string | null {
  for (const key of among(attributes, names)) {
    const raw = asText(attributes.get(key))
    const provider = raw === null ? null : canonical(raw)
    if (provider !== null) return provider
  }
  return null
}

function providerOfHost(attributes: Attributes): string | null {
  const host = firstText(attributes, hostNames)?.toLowerCase()
  if (host === undefined) return null
  for (const [suffix, provider] of hosts) if (host.endsWith(suffix)) return provider
  return host.startsWith('bedrock') && host.endsWith('.amazonaws.com') ? 'aws.bedrock' : null
}

/** The provider in the OpenTelemetry registry's words, in lower case; null where none is told. */
export function readProvider(reading: Reading): string | null {
  const { attributes, flags } = reading
  const stated =
    firstProvider(attributes, providerNames, canonicalProvider) ??
    firstProvider(attributes, dottedProviderNames, undotted) ??
    firstProvider(attributes, laterProviderNames, canonicalProvider) ??
    (reading.isMlflow ? firstProvider(attributes, formatNames, knownProvider) : null)
  if (stated !== null) return bounded(stated, maxNameChars, flags)
  const noted = readLangChainNote(reading, 'ls_provider')
  const provider = noted === null ? null : canonicalProvider(noted)
  return provider === null ? providerOfHost(attributes) : bounded(provider, maxNameChars, flags)
}

/** Of a call that failed before its instrumentation named the model: the one in its parameters, or in its name. */
function readOtherModel(reading: Reading): string | null {
  const parameter = reading.object(parameterNames)?.['model']
  const model = typeof parameter === 'string' ? asText(parameter) : (readNamedCall(reading)?.model ?? null)
  return model === null ? null : bounded(model, maxNameChars, reading.flags)
}

/** The model asked for, and the one that answered (else the one asked for): what is priced. `isCall`: llm or embedding. */
export function readModels(reading: Reading, isCall: boolean): { requestModel: string | null; model: string | null } {
  const { attributes, flags, isClaudeCode, isPydanticAi } = reading
  let requestModel = firstName(attributes, requestModelNames, flags)
  // `model` alone may be a car's: only a model call, or a dialect known to write it, means a language model.
  if (requestModel === null && (isCall || isClaudeCode || isPydanticAi)) {
    requestModel = firstName(attributes, bareModelNames, flags)
  }
  const responseModel = firstName(attributes, responseModelNames, flags)
  if (isCall && requestModel === null && responseModel === null) requestModel = readOtherModel(reading)
  return { requestModel, model: responseModel ?? requestModel }
}
