// Determines the inclusive token counts of a span from all that its sender reports.
import { type Kind, noUsage, type Usage } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { Reading } from '../reading.ts'
import { fillFromCarriers } from './carriers.ts'
import { readReportedUsage } from './read-reported-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/** Returns the tokens written to the cache, made consistent with their split by lifetime: both parts are included in the whole. */
function readCacheWrite(reported: ReportedUsage, flags: Set<Flag>): number | null {
  if (reported.cacheWrite5m === null && reported.cacheWrite1h === null) return reported.cacheWrite
  const split = (reported.cacheWrite5m ?? 0) + (reported.cacheWrite1h ?? 0)
  if (reported.cacheWrite !== null && reported.cacheWrite >= split) return reported.cacheWrite
  // LangChain reports a whole of 0 where it reports the parts.
  if (reported.cacheWrite !== null && reported.cacheWrite > 0) flags.add('usage_adjusted')
  return split
}

/**
 * Makes reported counts inclusive: input includes cached and cache write, output includes reasoning. A part is added to its whole if the
 * dialect is known to exclude it, if it is greater than the whole, or if the reported total adds up only then. Each change sets
 * `usage_adjusted`.
 */
function makeInclusive(reported: ReportedUsage, flags: Set<Flag>): Usage {
  const cacheWrite = readCacheWrite(reported, flags)
  const cache = (reported.cached ?? 0) + (cacheWrite ?? 0)
  const reasoning = reported.reasoning ?? 0
  const { input, output, total } = reported
  const beyond = total === null || input === null || output === null ? 0 : total - input - output
  const isBoth = beyond > 0 && beyond === cache + reasoning
  const isAmbiguous = cache === reasoning
  const cacheIsBeside = reported.cacheIsAdditive || isBoth || (beyond > 0 && beyond === cache && !isAmbiguous)
  const reasoningIsBeside = isBoth || (beyond > 0 && beyond === reasoning && !isAmbiguous)
  const addsCache = cache > 0 && (cacheIsBeside || cache > (input ?? 0))
  const addsReasoning = reasoning > 0 && (reasoningIsBeside || reasoning > (output ?? 0))
  if (addsCache || addsReasoning) flags.add('usage_adjusted')
  return {
    inputTokens: addsCache ? (input ?? 0) + cache : input,
    outputTokens: addsReasoning ? (output ?? 0) + reasoning : output,
    cachedTokens: reported.cached,
    cacheWriteTokens: cacheWrite,
    cacheWrite1hTokens: reported.cacheWrite1h,
    reasoningTokens: reported.reasoning,
  }
}

/** Infers the reasoning tokens of Gemini: its output excludes them, its total includes them. Some senders pass on only these two counts. */
function fillThoughts(reported: ReportedUsage): void {
  const { input, output, total } = reported
  const beyond = input === null || output === null || total === null ? 0 : total - input - output
  // If the sender's input excludes the cache, the difference is the cache, not reasoning.
  if (beyond > 0 && beyond !== (reported.cached ?? 0) + (reported.cacheWrite ?? 0)) reported.reasoning = beyond
}

const isGemini = (model: string): boolean => model.toLowerCase().includes('gemini')

/**
 * Whether all counts are 0 or missing. No call uses 0 tokens: senders that add up the parts of a stream report 0 if no part has a count.
 */
const isEmpty = ({ inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): boolean =>
  !inputTokens && !outputTokens && !cachedTokens && !cacheWriteTokens && !reasoningTokens

type UsageRead = {
  readonly usage: Usage
  /** A model call reports more output than any call can have, and no other count of it. */
  readonly isOutputLost: boolean
}

const nothing: UsageRead = { usage: noUsage, isOutputLost: false }

/** Returns the usage of a span of any kind. Only counted llm and embedding spans may be summed (`resolve`). */
export function readUsage(reading: Reading, kind: Kind, operation: string | null, model: string | null): UsageRead {
  // Fetching a stored response repeats the usage of the call that created it.
  if (operation === 'fetch_response') return nothing
  const isCall = kind === 'llm' || kind === 'embedding'
  const reported = readReportedUsage(reading, isCall)
  fillFromCarriers(reading, reported, kind)
  if (reported.reasoning === null && reported.total !== null && model !== null && isGemini(model))
    fillThoughts(reported)
  // An embedding uses nothing but its input. Spring AI reports only the total for Google's models.
  if (kind === 'embedding' && !reported.input) reported.input = reported.total ?? reported.input
  const isOutputLost = kind === 'llm' && reported.isOutputAbsurd && reported.output === null
  const usage = makeInclusive(reported, reading.flags)
  return { usage: isCall && isEmpty(usage) ? noUsage : usage, isOutputLost }
}
