// Reads token counts as the sender's attributes report them, before they are made consistent.

import { isAnyTrue } from '../asked-reads.ts'
import type { Reading } from '../reading.ts'
import { isOfAny } from '../text-steps.ts'
import { firstCount, readOutputOf } from './count.ts'
import type { ReportedUsage } from './reported-usage.ts'

/** Returns the counts in flat attributes. `isCall`: llm or embedding. Cost: about 45 look-ups, 5 more on a call without usage. */
export function readReportedUsage(reading: Reading, isCall: boolean): ReportedUsage {
  const { attributes, flags, dialects } = reading
  const { names, bare } = dialects
  const reported: ReportedUsage = {
    input: firstCount(attributes, names.inputTokens, flags),
    output: null,
    total: firstCount(attributes, names.totalTokens, flags),
    cached: firstCount(attributes, names.cachedTokens, flags),
    cacheWrite: firstCount(attributes, names.cacheWriteTokens, flags),
    cacheWrite5m: firstCount(attributes, names.cacheWrite5mTokens, flags),
    cacheWrite1h: firstCount(attributes, names.cacheWrite1hTokens, flags),
    reasoning: firstCount(attributes, names.reasoningTokens, flags),
    cacheIsAdditive: isAnyTrue(reading, dialects.reads.excludesCache),
    isOutputAbsurd: false,
  }
  const readOutput = readOutputOf(reported)
  reported.output = firstCount(attributes, names.outputTokens, flags, readOutput)
  // Names without a namespace are so general that spans of other kinds, made by hand, may use them with another meaning.
  if (!isCall && !isOfAny(reading, dialects.bareCountsOf)) return reported
  if (reported.input === null) {
    reported.input = firstCount(attributes, bare.inputTokens, flags)
    if (reported.input !== null && isOfAny(reading, dialects.bareInputExcludesCache)) reported.cacheIsAdditive = true
  }
  reported.output ??= firstCount(attributes, bare.outputTokens, flags, readOutput)
  reported.cached ??= firstCount(attributes, bare.cachedTokens, flags)
  reported.cacheWrite ??= firstCount(attributes, bare.cacheWriteTokens, flags)
  if (reported.input === null) reported.input = firstCount(attributes, names.embeddingTokens, flags)
  return reported
}
