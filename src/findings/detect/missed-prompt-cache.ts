// Finds models that receive the same large input turn after turn without a prompt cache.
import {
  type Detector,
  describeCoverage,
  type FindingDraft,
  observedSpan,
  type ScanContext,
  type ScanCoverage,
  windowOf,
  wordCovered,
} from '../detector.ts'
import { describePrice, pricedAs, priceOver, severityOf } from '../money.ts'
import { priceInput } from '../price-input.ts'
import { count, number, percent, quote } from '../wording.ts'

const lookBackMs = 86_400_000
// Lifetime of the shortest-lived common cache.
const withinS = 300
// Providers cache from 1,024 or 2,048 tokens on.
const minTokens = 2_048
const minMissed = 20
const minMissedShare = 0.9

type Row = ScanCoverage & {
  readonly agent_id: string
  readonly agent_name: string
  readonly model: string
  readonly provider: string | null
  readonly calls: number
  readonly missed: number
  readonly missed_unreported: number
  readonly mean_input: number
  readonly mean_repeated: number
  readonly observed_from: Date | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the agent and the model. Price: the saving if the repeated part were read from a cache and the rest written to it. */
export const missedPromptCache: Detector = {
  type: 'missed_prompt_cache',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const values = [scan.workspaceId, from, to, withinS, minTokens]
    const rows = await scan.rows<Row>('findings/find-missed-caches', values)
    return rows
      .filter(({ calls, missed }) => missed >= minMissed && missed >= minMissedShare * calls)
      .map((row) => describe(scan, row))
  },
}

function describe(scan: ScanContext, row: Row): FindingDraft {
  const savedUsd = priceSaving(scan, row)
  const price = priceOver(savedUsd === null ? null : savedUsd * row.missed, observedSpan(scan, lookBackMs, row))
  const basis =
    savedUsd === null
      ? 'no lower price for cached input of this model is known'
      : 'the price of the mean call without a cache, less its price with the repeated part read from the cache and the rest ' +
        'written to it, times the number of such calls'
  const agent = quote(row.agent_name)
  const model = quote(row.model)
  const unreportedShare = row.missed_unreported / row.missed
  const doubt =
    unreportedShare < 0.5
      ? ''
      : ` ${percent(unreportedShare)} of these spans do not report cached tokens at all; make sure that they are sent.`
  return {
    subject: `${row.agent_id} ${row.model}`,
    // Calls that do not report cached tokens may be cached after all.
    severity: unreportedShare < 0.5 ? severityOf(price) : 'info',
    title: `${agent} repeats ${number(row.mean_repeated)} input tokens to ${model} without prompt caching`,
    detail:
      `${count(row.missed, 'call')} of ${model} by ${agent} in ${wordCovered(scan, lookBackMs, row)} followed another call of the same conversation within five ` +
      `minutes and repeated ${number(row.mean_repeated)} input tokens on average, but report no cached tokens.${doubt} Keep the ` +
      `parts that do not change (system text, tools, earlier turns) at the beginning of the prompt, and mark them for caching if the ` +
      `provider requires it. ${pricedAs(price, basis)}`,
    agentId: row.agent_id,
    toolName: null,
    model: row.model,
    occurrences: row.missed,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      calls_that_repeat: row.calls,
      calls_without_cache: row.missed,
      calls_that_do_not_tell: row.missed_unreported,
      mean_input_tokens: row.mean_input,
      mean_repeated_tokens: row.mean_repeated,
      ...describePrice(price, basis, { saved_per_call_usd: savedUsd }),
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

/** Returns USD per call; null if there is no price or nothing to save. */
function priceSaving(scan: ScanContext, row: Row): number | null {
  const [input, repeated] = [Math.round(row.mean_input), Math.round(row.mean_repeated)]
  const without = priceInput(scan, row, { input, cached: 0, written: 0 })
  const withCache = priceInput(scan, row, { input, cached: repeated, written: input - repeated })
  return without === null || withCache === null || without <= withCache ? null : without - withCache
}
