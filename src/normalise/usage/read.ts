// Determines the inclusive token counts of a span from all that its sender reports.
import { type Kind, noUsage, type Usage } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { Reading } from '../reading.ts'
import { fillFromCarriers } from './carriers.ts'
import { readToldUsage } from './told.ts'
import type { ToldUsage } from './told-usage.ts'

/** Returns the tokens written to the cache, made consistent with their split by lifetime: both parts are included in the whole. */
function readCacheWrite(told: ToldUsage, flags: Set<Flag>): number | null {
  if (told.cacheWrite5m === null && told.cacheWrite1h === null) return told.cacheWrite
  const split = (told.cacheWrite5m ?? 0) + (told.cacheWrite1h ?? 0)
  if (told.cacheWrite !== null && told.cacheWrite >= split) return told.cacheWrite
  // LangChain reports a whole of 0 where it reports the parts.
  if (told.cacheWrite !== null && told.cacheWrite > 0) flags.add('usage_adjusted')
  return split
}

/**
 * Makes reported counts inclusive: input includes cached and cache write, output includes reasoning. A part is added to its whole if the
 * dialect is known to exclude it, if it is greater than the whole, or if the reported total adds up only then. Each change sets
 * `usage_adjusted`.
 */
function makeInclusive(told: ToldUsage, flags: Set<Flag>): Usage {
  const cacheWrite = readCacheWrite(told, flags)
  const cache = (told.cached ?? 0) + (cacheWrite ?? 0)
  const reasoning = told.reasoning ?? 0
  const { input, output, total } = told
  const beyond = total === null || input === null || output === null ? 0 : total - input - output
  const isBoth = beyond > 0 && beyond === cache + reasoning
  const isAmbiguous = cache === reasoning
  const cacheIsBeside = told.cacheIsBeside || isBoth || (beyond > 0 && beyond === cache && !isAmbiguous)
  const reasoningIsBeside = isBoth || (beyond > 0 && beyond === reasoning && !isAmbiguous)
  const addsCache = cache > 0 && (cacheIsBeside || cache > (input ?? 0))
  const addsReasoning = reasoning > 0 && (reasoningIsBeside || reasoning > (output ?? 0))
  if (addsCache || addsReasoning) flags.add('usage_adjusted')
  return {
    inputTokens: addsCache ? (input ?? 0) + cache : input,
    outputTokens: addsReasoning ? (output ?? 0) + reasoning : output,
    cachedTokens: told.cached,
    cacheWriteTokens: cacheWrite,
    cacheWrite1hTokens: told.cacheWrite1h,
    reasoningTokens: told.reasoning,
  }
}

/** Infers the reasoning tokens of Gemini: its output excludes them, its total includes them. Some senders pass on only these two counts. */
function fillThoughts(told: ToldUsage): void {
  const { input, output, total } = told
  const beyond = input === null || output === null || total === null ? 0 : total - input - output
  // If the sender's input excludes the cache, the difference is the cache, not reasoning.
  if (beyond > 0 && beyond !== (told.cached ?? 0) + (told.cacheWrite ?? 0)) told.reasoning = beyond
}

const isGemini = (model: string): boolean => model.toLowerCase().includes('gemini')

/**
 * Whether all counts are 0 or missing. No call uses 0 tokens: senders that add up the parts of a stream report 0 if no part has a count.
 */
const isEmpty = ({ inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): boolean =>
  !inputTokens && !outputTokens && !cachedTokens && !cacheWriteTokens && !reasoningTokens

/** Returns the usage of a span of any kind. Only counted llm and embedding spans may be summed (`resolve`). */
export function readUsage(reading: Reading, kind: Kind, operation: string | null, model: string | null): Usage {
  // Fetching a stored response repeats the usage of the call that created it.
  if (operation === 'fetch_response') return noUsage
  const isCall = kind === 'llm' || kind === 'embedding'
  const told = readToldUsage(reading, isCall)
  fillFromCarriers(reading, told, kind)
  if (told.reasoning === null && told.total !== null && model !== null && isGemini(model)) fillThoughts(told)
  const usage = makeInclusive(told, reading.flags)
  return isCall && isEmpty(usage) ? noUsage : usage
}
