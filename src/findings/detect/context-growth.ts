// Finds agents whose prompts grow from turn to turn until most of the price of a call is history.
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
import { count, number, quote } from '../wording.ts'

const lookBackMs = 86_400_000
const minTurns = 6
const largeTokens = 32_000
const minGrowth = 3
const minConversations = 3

type Row = ScanCoverage & {
  readonly agent_id: string
  readonly agent_name: string
  readonly model: string
  readonly provider: string | null
  readonly conversations: number
  readonly largest: number
  readonly mean_turns: number
  readonly mean_first: number
  readonly large_calls: number
  readonly mean_input: number
  readonly mean_cached: number
  readonly observed_from: Date | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the agent and the model. Price: what calls over 32,000 tokens cost more than they would at that size. */
export const contextGrowth: Detector = {
  type: 'context_growth',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const values = [scan.workspaceId, from, to, minTurns, largeTokens, minGrowth]
    const rows = await scan.rows<Row>('findings/find-growing-contexts', values)
    return rows.filter(({ conversations }) => conversations >= minConversations).map((row) => describe(scan, row))
  },
}

function describe(scan: ScanContext, row: Row): FindingDraft {
  const extraUsd = priceExtra(scan, row)
  const price = priceOver(extraUsd === null ? null : extraUsd * row.large_calls, observedSpan(scan, lookBackMs, row))
  const basis =
    extraUsd === null
      ? 'no price of this model is known'
      : `the price of the mean input of calls over ${number(largeTokens)} tokens, less the price of ${number(largeTokens)} tokens, times the number of such calls`
  const agent = quote(row.agent_name)
  const model = quote(row.model)
  return {
    subject: `${row.agent_id} ${row.model}`,
    severity: severityOf(price),
    title: `The context of ${agent} grows to ${number(row.largest)} tokens`,
    detail:
      `In ${count(row.conversations, 'conversation')} of ${wordCovered(scan, lookBackMs, row)}, ${agent} sent ${model} more and more input: ` +
      `${number(row.mean_first)} tokens in the first call on average, up to ${number(row.largest)} later, over ${row.mean_turns.toFixed(1)} ` +
      `calls on average. Drop or summarize what later turns do not need: old tool results first, then early messages. ` +
      pricedAs(price, basis),
    agentId: row.agent_id,
    toolName: null,
    model: row.model,
    occurrences: row.conversations,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      conversations: row.conversations,
      largest_input_tokens: row.largest,
      mean_first_input_tokens: row.mean_first,
      mean_turns: row.mean_turns,
      large_calls: row.large_calls,
      threshold_tokens: largeTokens,
      ...describePrice(price, basis, { extra_per_call_usd: extraUsd }),
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

/** Returns USD per call, with the same share of the input cached; null if there is no price. */
function priceExtra(scan: ScanContext, row: Row): number | null {
  const input = Math.max(largeTokens, Math.round(row.mean_input))
  const cachedShare = row.mean_cached / row.mean_input
  const priceOf = (tokens: number): number | null =>
    priceInput(scan, row, { input: tokens, cached: Math.round(tokens * cachedShare), written: 0 })
  const [actual, bounded] = [priceOf(input), priceOf(largeTokens)]
  return actual === null || bounded === null ? null : Math.max(0, actual - bounded)
}
