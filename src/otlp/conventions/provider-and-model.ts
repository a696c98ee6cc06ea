// Floor 1. Who served a model call, and which model.
import type { AttributeMap } from '../span.ts'
import { asText, bounded, firstName, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'

/** Names that mean the same provider, in lower case, to the name in the OpenTelemetry registry. */
const providerAliases: ReadonlyMap<string, string> = new Map([
  ['az.ai.openai', 'azure.ai.openai'],
  ['azure', 'azure.ai.openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['azure_openai', 'azure.ai.openai'],
  ['az.ai.inference', 'azure.ai.inference'],
  ['azure_ai', 'azure.ai.inference'],
  ['vertex_ai', 'gcp.vertex_ai'],
  ['vertexai', 'gcp.vertex_ai'],
  ['google_vertexai', 'gcp.vertex_ai'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['gemini', 'gcp.gemini'],
  ['google', 'gcp.gemini'],
  ['google.ai.studio', 'gcp.gemini'],
  ['google_genai', 'gcp.gemini'],
  ['google-gla', 'gcp.gemini'],
  ['google.generative-ai', 'gcp.gemini'],
  ['xai', 'x_ai'],
  ['x-ai', 'x_ai'],
  ['bedrock', 'aws.bedrock'],
  ['aws', 'aws.bedrock'],
  ['aws_bedrock', 'aws.bedrock'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['amazon_bedrock', 'aws.bedrock'],
  ['mistral', 'mistral_ai'],
  ['mistralai', 'mistral_ai'],
])

/** Frameworks that write themselves where the provider belongs. */
const notProviders: ReadonlySet<string> = new Set([
  'langchain',
  'langgraph',
  'llamaindex',
  'llama_index',
  'crewai',
  'haystack',
  'autogen',
  'strands-agents',
  'litellm',
  'other',
  'unknown',
  '_other',
])

/** Registry names that hold dots of their own; every other dotted name is Vercel's `provider.endpoint`. */
const dottedNames = /^(?:aws\.bedrock|azure\.ai\.|az\.ai\.|gcp\.|ibm\.|google\.ai\.)/

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

function canonicalProvider(raw: string): string | null {
  const name = raw.trim().toLowerCase()
  if (notProviders.has(name)) return null
  const alias = providerAliases.get(name)
  if (alias !== undefined || !name.includes('.') || dottedNames.test(name)) return alias ?? name
  if (name.startsWith('google.vertex')) return 'gcp.vertex_ai'
  const first = name.slice(0, name.indexOf('.'))
  return providerAliases.get(first) ?? (first === '' ? null : first)
}

function providerOfHost(attributes: AttributeMap): string | null {
  const host = asText(attributes.get('server.address'))?.toLowerCase()
  if (host === undefined) return null
  for (const [suffix, provider] of hosts) if (host.endsWith(suffix)) return provider
  return host.startsWith('bedrock') && host.endsWith('.amazonaws.com') ? 'aws.bedrock' : null
}

/** The provider in the OpenTelemetry registry's words, in lower case; null where none is told. */
export function readProvider({ attributes, flags }: Reading): string | null {
  for (const name of providerNames) {
    const raw = asText(attributes.get(name))
    const provider = raw === null ? null : canonicalProvider(raw)
    if (provider !== null) return bounded(provider, maxNameChars, flags)
  }
  return providerOfHost(attributes)
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
