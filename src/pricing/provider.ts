// The names of model providers: the aliases of each and the id of its price list.

/** Maps aliases in lower case to the OpenTelemetry name of the provider, where there is one. Null: the alias names no provider. */
const aliases: ReadonlyMap<string, string | null> = new Map([
  ['az.ai.openai', 'azure.ai.openai'],
  ['azure', 'azure.ai.openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['azure_openai', 'azure.ai.openai'],
  ['azureopenai', 'azure.ai.openai'],
  ['az.ai.inference', 'azure.ai.inference'],
  ['azure_ai', 'azure.ai.inference'],
  ['azure-ai', 'azure.ai.inference'],
  ['az.ai.agents', 'azure.ai.inference'],
  ['microsoft.foundry', 'azure.ai.inference'],
  ['azure.ai.foundry', 'azure.ai.inference'],
  ['vertex', 'gcp.vertex_ai'],
  ['vertex_ai', 'gcp.vertex_ai'],
  ['vertexai', 'gcp.vertex_ai'],
  ['google_vertexai', 'gcp.vertex_ai'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['gcp.vertex.agent', 'gcp.vertex_ai'],
  ['gemini', 'gcp.gemini'],
  ['google.ai.studio', 'gcp.gemini'],
  ['google_genai', 'gcp.gemini'],
  ['googleai', 'gcp.gemini'],
  ['google-gla', 'gcp.gemini'],
  ['google.generative-ai', 'gcp.gemini'],
  ['google', 'gcp.gen_ai'],
  ['google-vertex-ai', 'gcp.vertex_ai'],
  ['google_vertex_ai_gemini', 'gcp.vertex_ai'],
  ['google_vertex_ai_anthropic', 'gcp.vertex_ai'],
  ['google_ai_gemini', 'gcp.gemini'],
  ['xai', 'x_ai'],
  ['x-ai', 'x_ai'],
  ['bedrock', 'aws.bedrock'],
  ['bedrock_converse', 'aws.bedrock'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['amazon_bedrock', 'aws.bedrock'],
  ['aws_bedrock', 'aws.bedrock'],
  ['awsbedrock', 'aws.bedrock'],
  ['bedrock-mantle', 'aws.bedrock'],
  ['aws', 'aws.bedrock'],
  ['amazon', 'aws.bedrock'],
  // Anthropic's own service, with its names and prices of models, billed by AWS.
  ['anthropic-aws', 'anthropic'],
  ['mistral', 'mistral_ai'],
  ['mistralai', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['together', 'together_ai'],
  ['together-ai', 'together_ai'],
  ['togetherai', 'together_ai'],
  ['fireworks', 'fireworks_ai'],
  ['fireworks-ai', 'fireworks_ai'],
  // Frameworks and gateways that report their own name as the provider.
  ['langchain', null],
  ['langgraph', null],
  ['llamaindex', null],
  ['llama_index', null],
  ['crewai', null],
  ['haystack', null],
  ['autogen', null],
  ['strands-agents', null],
  ['litellm', null],
  ['other', null],
  ['_other', null],
  ['unknown', null],
  ['', null],
])

/** Canonical names whose price list has another id in genai-prices. */
const priceLists: ReadonlyMap<string, string> = new Map([
  ['azure.ai.openai', 'azure'],
  ['azure.ai.inference', 'azure'],
  ['gcp.vertex_ai', 'google'],
  ['gcp.gemini', 'google'],
  ['gcp.gen_ai', 'google'],
  ['aws.bedrock', 'aws'],
  ['x_ai', 'x-ai'],
  ['mistral_ai', 'mistral'],
  ['moonshot_ai', 'moonshotai'],
  ['together_ai', 'together'],
  ['fireworks_ai', 'fireworks'],
])

const canonicalNames: ReadonlySet<string> = new Set([
  ...[...aliases.values()].filter((name) => name !== null),
  'openai',
  'anthropic',
  'cohere',
  'deepseek',
  'groq',
  'perplexity',
])

/** Runtimes on the sender's machines. A model has no list price there. */
const selfHosted: ReadonlySet<string> = new Set([
  'ollama',
  'vllm',
  'lmstudio',
  'lm_studio',
  'llama.cpp',
  'llamacpp',
  'llamafile',
  'localai',
  'sglang',
])

const withoutSeparators = (name: string): string => name.replaceAll(/[ ._-]/g, '')

/** The canonical names by all names without separators: frameworks write `OPEN_AI` or `AwsBedrock`. */
const bareNames: ReadonlyMap<string, string | null> = new Map([
  ...[...canonicalNames, ...selfHosted].map((name) => [withoutSeparators(name), name] as const),
  ...[...aliases].map(([alias, name]) => [withoutSeparators(alias), name] as const),
])

/** A longer unknown text may be a key in place of a name. It is not lowercased, because redaction recognizes keys by their case. */
const mostNameLength = 19
/** More than any known name has. */
const mostKnownLength = 64

/** What the AI SDK of Vercel appends to the names of providers, as in `openrouter.chat`. */
const endpoint = /\.(?:chat|completion|responses|messages|(?:text)?embeddings?|reranking)$/i

/**
 * Returns the canonical name of the provider: its OpenTelemetry name (`azure.ai.openai`) where there is one, else the name itself, in lower
 * case if it has at most 19 characters. If only the text before a dot is known, the rest is dropped (`openai.chat`); of an unknown name, the
 * endpoint is. Names are also compared without their separators. Returns null for the name of a framework or gateway, which does not
 * identify the provider.
 */
export function canonicalProvider(name: string): string | null {
  const trimmed = name.trim()
  const lower = trimmed.toLowerCase()
  const alias = aliases.get(lower)
  if (alias !== undefined) return alias
  if (isKnownProvider(lower)) return lower
  for (let dot = lower.lastIndexOf('.', mostKnownLength); dot > 0; dot = lower.lastIndexOf('.', dot - 1)) {
    const front = lower.slice(0, dot)
    const meant = aliases.get(front) ?? (isKnownProvider(front) ? front : bareNames.get(withoutSeparators(front)))
    if (meant !== undefined && meant !== null) return meant
  }
  const named = trimmed.replace(endpoint, '')
  for (const spelling of [lower, named.toLowerCase()]) {
    const meant = bareNames.get(withoutSeparators(spelling))
    if (meant !== undefined) return meant
  }
  return named.length > mostNameLength ? named : named.toLowerCase()
}

/** Returns the parts of a name like `anthropic/claude-sonnet-4-5`, as they are written; null if one of them is missing. */
export function splitProviderAndModel(name: string): readonly [provider: string, model: string] | null {
  const slash = name.indexOf('/')
  return slash > 0 && slash < name.length - 1 ? [name.slice(0, slash), name.slice(slash + 1)] : null
}

/** True for a canonical provider that is in the tables above. */
export const isKnownProvider = (canonical: string): boolean =>
  canonicalNames.has(canonical) || selfHosted.has(canonical)

/** Returns the genai-prices id of a canonical provider: its own name where no other id is known. */
export const priceListOf = (canonical: string): string => priceLists.get(canonical) ?? canonical

/** True for a canonical provider that runs models on the sender's machines, where list prices do not apply. */
export const isSelfHosted = (canonical: string): boolean => selfHosted.has(canonical)
