// Floor 3. Finds tools that nobody attested, though attesting them would let repeated calls be served.
import { savedByServing, usualHoldoutRate } from '../../pricing/monthly.ts'
import {
  type Detector,
  describeReach,
  type Found,
  type Look,
  observedSpan,
  type Reach,
  windowOf,
  wordCovered,
} from '../found.ts'
import { describePrice, pricedAs, priceOver, severityOf } from '../money.ts'
import { looksReadOnly } from '../read-only-name.ts'
import { count, duration, number, percent, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000
const minRepeats = 10

type Row = Reach & {
  readonly tool_name: string
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

/** Subject: the tool, where it looks read-only. Priced by what the sender says that such calls cost, less the holdout. */
export const unattestedRepeat: Detector = {
  type: 'unattested_repeat',
  lookBackMs,
  detect: async (look) => {
    const { from, to } = windowOf(look, lookBackMs)
    const rows = await look.rows<Row>('findings/find-unattested-repeats', [look.workspaceId, from, to])
    return rows
      .filter(({ tool_name: tool, repeats }) => repeats >= minRepeats && looksReadOnly(tool))
      .map((row) => describe(look, row))
  },
}

function describe(look: Look, row: Row): Found {
  const seenUsd = row.mean_cost_usd === null ? null : savedByServing(row.repeats, row.mean_cost_usd, usualHoldoutRate)
  const price = priceOver(seenUsd, observedSpan(look, lookBackMs, row))
  const basis =
    seenUsd === null
      ? 'the spans do not report the cost of a call'
      : `the mean cost of a call as reported by the sender, times the ${percent(1 - usualHoldoutRate)} of the repeated calls that a rule would serve`
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(price),
    title: `Attesting ${tool} could save ${count(row.repeats, 'repeated call')}`,
    detail:
      `${number(row.repeats)} of ${count(row.calls, 'call')} of ${tool} in ${wordCovered(look, lookBackMs, row)} repeated an input within the ` +
      `freshness period of the workspace (${count(row.inputs, 'different input')}), and took ${duration(row.duration_ms)}. If the result ` +
      `depends only on the input for that period and the tool changes nothing, attest the tool in the SDK: its results are then ` +
      `stored encrypted, and the service proposes and measures a rule before it serves any result. ${pricedAs(price, basis)}`,
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
      ...describePrice(price, basis, {
        mean_call_usd: row.mean_cost_usd,
        calls_with_a_price: row.priced,
        holdout_share: usualHoldoutRate,
      }),
      looked_at: describeReach(lookBackMs, row),
    },
    decision: { type: 'reuse_identity', inputHashes: row.input_hashes },
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
