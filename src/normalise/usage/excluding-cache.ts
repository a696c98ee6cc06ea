// The providers whose own input count does not include the cache. Many senders pass on the counts of each provider as they are.
const excluding: ReadonlySet<string | null> = new Set(['anthropic', 'aws.bedrock'])

/** The platforms of other vendors that offer Claude, all of them by Anthropic's own API. */
const platformsOfClaude: ReadonlySet<string | null> = new Set([
  'gcp.vertex_ai',
  'azure.ai.inference',
  'azure.ai.openai',
])

/**
 * `provider`: a canonical name. `model`: for senders that name another platform as the provider of Claude; a gateway, whose provider is its
 * own name, counts as OpenAI does.
 */
export const excludesCacheItself = (provider: string | null, model: string | null = null): boolean =>
  excluding.has(provider) || (platformsOfClaude.has(provider) && model?.toLowerCase().includes('claude') === true)
