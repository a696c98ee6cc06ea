// Reads token counts as the sender's attributes report them, before they are made consistent.

import { isAnyTrue } from '../asked-reads.ts'
import type { Reading } from '../reading.ts'
import { isOfAny } from '../text-steps.ts'
import { firstCount } from './count.ts'
import type { ToldUsage } from './told-usage.ts'

/** Returns the counts in flat attributes. `isCall`: llm or embedding. Cost: about 45 look-ups, 5 more on a call without usage. */
export function readToldUsage(reading: Reading, isCall: boolean): ToldUsage {
  const { attributes, flags, dialects } = reading
  const { names, bare } = dialects
  const told: ToldUsage = {
    input: firstCount(attributes, names.inputTokens, flags),
    output: firstCount(attributes, names.outputTokens, flags),
    total: firstCount(attributes, names.totalTokens, flags),
    cached: firstCount(attributes, names.cachedTokens, flags),
    cacheWrite: firstCount(attributes, names.cacheWriteTokens, flags),
    cacheWrite5m: firstCount(attributes, names.cacheWrite5mTokens, flags),
    cacheWrite1h: firstCount(attributes, names.cacheWrite1hTokens, flags),
    reasoning: firstCount(attributes, names.reasoningTokens, flags),
    cacheIsBeside: isAnyTrue(reading, dialects.reads.excludesCache),
  }
  // Names without a namespace are so general that spans of other kinds, made by hand, may use them with another meaning.
  if (!isCall && !isOfAny(reading, dialects.bareCountsOf)) return told
  if (told.input === null) {
    told.input = firstCount(attributes, bare.inputTokens, flags)
    if (told.input !== null && isOfAny(reading, dialects.bareInputExcludesCache)) told.cacheIsBeside = true
  }
  told.output ??= firstCount(attributes, bare.outputTokens, flags)
  told.cached ??= firstCount(attributes, bare.cachedTokens, flags)
  told.cacheWrite ??= firstCount(attributes, bare.cacheWriteTokens, flags)
  if (told.input === null) told.input = firstCount(attributes, names.embeddingTokens, flags)
  return told
}
