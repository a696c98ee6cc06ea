// Floor 1. Langfuse's usage_details: buckets of its own making, or a provider's usage object passed through.
import type { Flag } from '../../event/flag.ts'
import { isObject, type JsonObject } from '../json.ts'
import { readCount } from './count.ts'
import type { ToldUsage } from './told.ts'

const cachedKeys = ['input_cached_tokens', 'input_cache_read', 'cache_read_input_tokens', 'cache_read']
const writeKeys = ['input_cache_creation', 'cache_creation_input_tokens', 'input_cache_write', 'cache_write']
const reasoningKeys = ['output_reasoning_tokens', 'output_reasoning', 'reasoning_tokens']

function first(details: JsonObject, keys: readonly string[], flags: Set<Flag>): number | null {
  for (const key of keys) {
    const count = readCount(details[key], flags)
    if (count !== null) return count
  }
  return null
}

/**
 * Fills what is still open. Buckets named `input` and `output` exclude each other, so that the cache lies beside the
 * input, unless the total says that it is inside; `prompt_tokens` and nested details are OpenAI's inclusive form.
 */
export function fillFromLangfuse(details: JsonObject, told: ToldUsage, flags: Set<Flag>): void {
  const inner = details['prompt_tokens_details'] ?? details['input_tokens_details']
  const outer = details['completion_tokens_details'] ?? details['output_tokens_details']
  const input = first(details, ['input', 'input_tokens', 'prompt_tokens'], flags)
  const output = first(details, ['output', 'output_tokens', 'completion_tokens'], flags)
  const total = first(details, ['total', 'total_tokens'], flags)
  const cached = first(details, cachedKeys, flags) ?? (isObject(inner) ? first(inner, ['cached_tokens'], flags) : null)
  const cacheWrite = first(details, writeKeys, flags)
  const reasoning =
    first(details, reasoningKeys, flags) ?? (isObject(outer) ? first(outer, ['reasoning_tokens'], flags) : null)
  const isInclusive =
    'prompt_tokens' in details ||
    inner !== undefined ||
    outer !== undefined ||
    (total !== null && total === (input ?? 0) + (output ?? 0))
  if (told.input === null && input !== null) {
    told.input = input
    told.cacheIsBeside = !isInclusive
  }
  if (told.output === null && output !== null) {
    told.output = output
    if (!isInclusive && reasoning !== null && reasoning > 0) {
      told.output += reasoning
      flags.add('usage_adjusted')
    }
  }
  told.total ??= isInclusive ? total : null
  told.cached ??= cached
  told.cacheWrite ??= cacheWrite
  told.reasoning ??= reasoning
}
