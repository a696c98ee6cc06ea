// Finds tools whose results are in prompts but are not used.
import { savedByServing } from '../../pricing/monthly.ts'
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
import { isServable, remedyOf } from '../read-only.ts'
import { readRefutedRules, refutedBasis } from '../refuted-rules.ts'
import { count, number, percent, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000
const minConsumed = 20
const minUnreadShare = 0.95
// A result that was returned only just now may still be used.
const settledMs = 600_000

const advices = {
  attest:
    'Call the tool only where its result is needed, or attest that its result is not read: a proven rule then answers instead.',
  rule: 'Call the tool only where its result is needed. Its result is attested as unread: once a rule is proven, it answers instead.',
  refuted: 'Call the tool only where its result is needed.',
  review:
    'If the tool is called for its effect, this is expected: acknowledge this finding. Otherwise call it only where its result is needed.',
} as const

type Row = ScanCoverage & {
  readonly tool_name: string
  readonly consumed: number
  readonly read: number
  readonly unread_uses: number
  readonly mean_cost_usd: number | null
  readonly priced: number
  /** Of the workspace: the share of the calls of a rule that run for real. */
  readonly holdout_rate: number
  readonly agent_id: string | null
  /** As the spans of the tool state it; null if they state nothing. */
  readonly read_only: boolean | null
  /** With any claim, and with the claim that its result is not read. */
  readonly is_attested: boolean
  readonly is_attested_unread: boolean
  readonly observed_from: Date | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/**
 * Subject: the tool. Price: the cost of such calls as reported by the sender, less the holdout, if a stored result could be served. The cost
 * of tokens is not included.
 */
export const deadToolResult: Detector = {
  type: 'dead_tool_result',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const settled = new Date(scan.nowMs - settledMs)
    const rows = await scan.rows<Row>('findings/find-dead-results', [scan.workspaceId, from, to, settled])
    const refuted = await readRefutedRules(scan, 'suppress_dead')
    return rows
      .filter(({ consumed, read }) => consumed >= minConsumed && consumed - read >= minUnreadShare * consumed)
      .map((row) => describe(scan, row, refuted.has(row.tool_name, row.agent_id)))
  },
}

function describe(scan: ScanContext, row: Row, hasRefutedRule: boolean): FindingDraft {
  const unread = row.consumed - row.read
  const isReader = isServable(row.tool_name, row.read_only, row.is_attested)
  const isRefuted = isReader && hasRefutedRule
  const isPriced = row.mean_cost_usd !== null && isReader && !isRefuted
  const seenUsd = isPriced ? savedByServing(unread, row.mean_cost_usd, row.holdout_rate) : null
  const price = priceOver(seenUsd, observedSpan(scan, lookBackMs, row))
  const basis = isRefuted ? refutedBasis : basisOf(seenUsd, isReader, row.holdout_rate)
  const remedy = remedyOf(isReader, row.is_attested_unread, isRefuted)
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(price),
    title: `${percent(unread / row.consumed)} of the results of ${tool} are not used`,
    detail:
      `${number(unread)} of ${count(row.consumed, 'result')} of ${tool} in ${wordCovered(scan, lookBackMs, row)} were in the prompts of ` +
      `${count(row.unread_uses, 'model call')}, but no model output and no later call used them. ` +
      `${advices[remedy]} ${pricedAs(price, basis)}`,
    agentId: row.agent_id,
    toolName: row.tool_name,
    model: null,
    occurrences: unread,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      remedy,
      consumed: row.consumed,
      read: row.read,
      prompts_with_unread_results: row.unread_uses,
      ...describePrice(price, basis, { mean_call_usd: row.mean_cost_usd, calls_with_a_price: row.priced }),
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: isReader ? { type: 'suppress_dead', inputHashes: null } : null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

function basisOf(seenUsd: number | null, isReader: boolean, holdoutRate: number): string {
  if (!isReader) return 'the calls may be needed for their effect'
  if (seenUsd === null) return 'the spans do not report the cost of a call'
  return `the mean cost of a call as reported by the sender, times the ${percent(1 - holdoutRate)} of the unused results that a rule would replace; the cost of their tokens in prompts is not included`
}
