// Finds tools that are not attested although attesting them would let repeated calls be served.

import { wordAge } from '../../decisions/choose-step.ts'
import { savedByServing } from '../../pricing/monthly.ts'
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
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
import { describeReplay, type Judgement, judgeReplay, wordReplay } from '../plain/judge-replay.ts'
import { type PlainReplay, replayPlain } from '../plain/replay-plain.ts'
import { looksReadOnly } from '../read-only.ts'
import { count, duration, number, percent, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000
const minRepeats = 10
/** Number of tools whose executions a pass replays, the most repeated ones: 20,000 executions take about 0.1 s. */
const maxReplays = 5

type Row = ScanCoverage &
  RuleDefaults & {
    readonly tool_name: string
    /** As the spans of the tool state it; null if they state nothing. */
    readonly read_only: boolean | null
    readonly calls: number
    readonly repeats: number
    readonly inputs: number
    readonly input_hashes: readonly string[]
    readonly mean_cost_usd: number | null
    readonly priced: number
    readonly duration_ms: number
    readonly observed_from: Date | null
    readonly first_seen: Date
    readonly last_seen: Date
    readonly trace_ids: readonly string[]
  }

/** What a replay shows about the results of a tool. */
type Replayed = { readonly replay: PlainReplay | null; readonly judgement: Judgement | null; readonly words: string }

/**
 * Subject: the tool, if it looks read-only. Price: the cost of such calls as reported by the sender, less the holdout. If results were sent
 * in plain, they are replayed: the finding states up to which age stored ones would have been right.
 */
export const unattestedRepeat: Detector = {
  type: 'unattested_repeat',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const rows = await scan.rows<Row>('findings/find-unattested-repeats', [scan.workspaceId, from, to])
    const readers = rows.filter((row) => row.repeats >= minRepeats && looksReadOnly(row.tool_name, row.read_only))
    const found: FindingDraft[] = []
    for (const [nth, row] of readers.entries())
      found.push(describe(scan, row, nth < maxReplays ? await replay(scan, row) : notReplayed))
    return found
  },
}

const notReplayed: Replayed = {
  replay: null,
  judgement: null,
  words: `Whether stored results would have been right is only determined for the ${maxReplays} tools with the most repeated calls.`,
}

async function replay(scan: ScanContext, row: Row): Promise<Replayed> {
  const fromMs = windowOf(scan, lookBackMs).from.getTime()
  const tool = {
    name: row.tool_name,
    calls: row.calls,
    observedFromMs: row.observed_from?.getTime() ?? fromMs,
    lastMs: row.last_seen.getTime(),
    defaults: row,
  }
  const replayed = await replayPlain(scan, tool, fromMs)
  const judgement = replayed === null ? null : judgeReplay(replayed)
  return { replay: replayed, judgement, words: replayed === null ? '' : wordReplay(replayed, judgement) }
}

function describe(scan: ScanContext, row: Row, { replay, judgement, words }: Replayed): FindingDraft {
  const isRefuted = judgement?.kind === 'refuted'
  const isPriced = row.mean_cost_usd !== null && !isRefuted
  const seenUsd = isPriced ? savedByServing(row.repeats, row.mean_cost_usd, row.holdout_rate) : null
  const price = priceOver(seenUsd, observedSpan(scan, lookBackMs, row))
  const basis = basisOf(isPriced, isRefuted, row)
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(price),
    title: isRefuted
      ? `The results of ${tool} change or fail too often to be served for its repeated calls`
      : `Attesting ${tool} could save ${count(row.repeats, 'repeated call')}`,
    detail: [
      `${number(row.repeats)} of ${count(row.calls, 'call')} of ${tool} in ${wordCovered(scan, lookBackMs, row)} repeated an input within ` +
        `${wordAge(row.freshness_s)} (${count(row.inputs, 'distinct input')}), and took ${duration(row.duration_ms)}.`,
      words,
      isRefuted ? '' : adviseAttesting(judgement?.rung.freshnessS ?? row.freshness_s),
      pricedAs(price, basis),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    agentId: null,
    toolName: row.tool_name,
    model: null,
    occurrences: row.repeats,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      calls: row.calls,
      repeats: row.repeats,
      inputs: row.inputs,
      most_repeated_input_hashes: row.input_hashes,
      waited_ms: row.duration_ms,
      replay: replay === null ? null : describeReplay(replay, judgement),
      ...describePrice(price, basis, {
        mean_call_usd: row.mean_cost_usd,
        calls_with_a_price: row.priced,
        holdout_share: row.holdout_rate,
      }),
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: { type: 'reuse_identity', inputHashes: row.input_hashes },
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

/** `freshnessS`: the age up to which stored results were judged or, without a judgement, would be served, in seconds. */
const adviseAttesting = (freshnessS: number): string =>
  `If the same input gives the same result for at least ${wordAge(freshnessS)} and the tool changes nothing, attest the tool in the SDK: its ` +
  'results are then stored encrypted, and the service proposes and measures a rule before it serves any result.'

function basisOf(isPriced: boolean, isRefuted: boolean, { holdout_rate, freshness_s }: Row): string {
  if (isRefuted) return 'no rule would serve these results'
  if (!isPriced) return 'the spans do not report the cost of a call'
  return `the mean cost of a call as reported by the sender, times the ${percent(1 - holdout_rate)} of the repeated calls that a rule with an age limit of ${wordAge(freshness_s)} would serve`
}
