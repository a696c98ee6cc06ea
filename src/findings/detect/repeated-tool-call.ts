// Finds tools that an agent calls with the same input again within minutes.

import { wordAge } from '../../decisions/choose-step.ts'
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
  wordPeriod,
} from '../detector.ts'
import { describePrice, type Price, pricedAs, priceOver, severityOf } from '../money.ts'
import { isServable, remedyOf } from '../read-only.ts'
import { readRefutedRules, refutedBasis } from '../refuted-rules.ts'
import { count, duration, percent, quote } from '../wording.ts'

const lookBackMs = 86_400_000
// Equal to the look-back of a proposal, so that the finding and the rule for a tool state the same price.
const pricedBackMs = 7 * 86_400_000
const withinS = 600
const minRepeats = 3
const manyRepeats = 50

type Row = ScanCoverage & {
  readonly agent_id: string
  readonly agent_name: string
  readonly tool_name: string
  readonly repeats: number
  readonly reusable: number
  /** Of the workspace: the share of the calls of a rule that run for real, and the age limit of served results. */
  readonly holdout_rate: number
  readonly freshness_s: number
  readonly inputs: number
  readonly input_hashes: readonly string[]
  readonly mean_cost_usd: number | null
  readonly priced: number
  readonly duration_ms: number
  /** As the spans of the tool state it; null if they state nothing. */
  readonly read_only: boolean | null
  readonly is_attested: boolean
  readonly observed_from: Date
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/**
 * Subject: the agent and the tool. Price: the cost of the repeated calls as reported by the sender. For a tool whose results could be
 * served, only the calls that a rule would serve count; for any other tool, all of them. No price if such a rule was disabled as wrong.
 */
export const repeatedToolCall: Detector = {
  type: 'repeated_tool_call',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, pricedBackMs)
    const since = windowOf(scan, lookBackMs).from
    const rows = await scan.rows<Row>('findings/find-repeated-calls', [scan.workspaceId, from, to, withinS, since])
    const refuted = await readRefutedRules(scan, 'reuse_identity')
    return rows
      .filter(({ repeats }) => repeats >= minRepeats)
      .map((row) => describe(scan, row, refuted.has(row.tool_name, row.agent_id)))
  },
}

/** Returns the reach within the look-back. The sample of the longer, priced time may cover the whole look-back. */
const reachOf = ({ nowMs }: ScanContext, row: Row): ScanCoverage => ({
  ...row,
  is_cut: row.is_cut && row.scanned_from !== null && row.scanned_from.getTime() > nowMs - lookBackMs,
})

function describe(scan: ScanContext, row: Row, hasRefutedRule: boolean): FindingDraft {
  const isReader = isServable(row.tool_name, row.read_only, row.is_attested)
  const isRefuted = isReader && hasRefutedRule
  const seenUsd =
    row.mean_cost_usd === null || isRefuted
      ? null
      : savedByServing(row.reusable, row.mean_cost_usd, isReader ? row.holdout_rate : 0)
  const price = priceOver(seenUsd, observedSpan(scan, pricedBackMs, row))
  const basis = isRefuted ? refutedBasis : basisOf(seenUsd, isReader, row)
  const remedy = remedyOf(isReader, row.is_attested, isRefuted)
  return {
    subject: `${row.agent_id} ${row.tool_name}`,
    severity: severityOf(price, row.repeats >= manyRepeats ? 'warning' : 'info'),
    ...(remedy === 'review'
      ? askWhetherMeant(scan, row, price, basis)
      : adviseReader(scan, row, advices[remedy], pricedAs(price, basis))),
    agentId: row.agent_id,
    toolName: row.tool_name,
    model: null,
    // The number of the title.
    occurrences: row.repeats,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      remedy,
      within_s: withinS,
      repeats: row.repeats,
      inputs: row.inputs,
      most_repeated_input_hashes: row.input_hashes,
      waited_ms: row.duration_ms,
      ...describePrice(price, basis, {
        repeats_within_freshness: row.reusable,
        mean_call_usd: row.mean_cost_usd,
        calls_with_a_price: row.priced,
      }),
      looked_at: describeCoverage(lookBackMs, reachOf(scan, row)),
    },
    decision: isReader ? { type: 'reuse_identity', inputHashes: row.input_hashes } : null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

function basisOf(seenUsd: number | null, isReader: boolean, row: Row): string {
  if (seenUsd === null) return 'the spans do not report the cost of a call'
  const repeated = `the calls repeated within ${wordAge(row.freshness_s)}`
  const which = isReader
    ? `the ${percent(1 - row.holdout_rate)} of ${repeated} that a rule with this age limit would serve`
    : repeated
  return `the mean cost of a call as reported by the sender, times ${which}`
}

function adviseReader(
  scan: ScanContext,
  row: Row,
  advice: string,
  pricing: string,
): Pick<FindingDraft, 'title' | 'detail'> {
  const agent = quote(row.agent_name)
  const tool = quote(row.tool_name)
  return {
    title: `${agent} repeated ${count(row.repeats, 'call')} of ${tool} in ${wordPeriod(scan, lookBackMs, reachOf(scan, row))}`,
    detail:
      `In ${wordCovered(scan, lookBackMs, reachOf(scan, row))}, ${agent} called ${tool} ${count(row.repeats, 'time')} with an input that it had already used in the ` +
      `ten minutes before (${count(row.inputs, 'distinct input')}), and waited ${duration(row.duration_ms)} for the results. ${advice} ${pricing}`,
  }
}

const advices = {
  attest:
    'Keep each result for the duration of the task, or attest the tool so that a proven rule can serve the result.',
  rule: 'Keep each result for the duration of the task. The tool is attested: once a rule is proven, it serves the result.',
  refuted: 'Call the tool only where a new result is needed: its results change too often to be served.',
} as const

/** For a tool that may have an effect. */
function askWhetherMeant(
  scan: ScanContext,
  row: Row,
  price: Price,
  basis: string,
): Pick<FindingDraft, 'title' | 'detail'> {
  const agent = quote(row.agent_name)
  const tool = quote(row.tool_name)
  return {
    title: `${agent} repeated ${count(row.repeats, 'call')} of ${tool} in ${wordPeriod(scan, lookBackMs, reachOf(scan, row))}: is this intended?`,
    detail:
      `In ${wordCovered(scan, lookBackMs, reachOf(scan, row))}, ${agent} called ${tool} ${count(row.repeats, 'time')} with an input that it had already used in the ` +
      `ten minutes before (${count(row.inputs, 'distinct input')}), and waited ${duration(row.duration_ms)} for the results. If the effect of every call is needed, acknowledge this ` +
      `finding. Otherwise check the loop that makes these calls. ${pricedAs(price, basis)}`,
  }
}
