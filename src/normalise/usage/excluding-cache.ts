// The providers whose own input count does not include the cache. Many senders pass on the counts of each provider as they are.
const excluding: ReadonlySet<string | null> = new Set(['anthropic', 'aws.bedrock'])

/** `provider`: a canonical name. */
export const excludesCacheItself = (provider: string | null): boolean => excluding.has(provider)
