// Floor 3. Finds tools that nobody attested, though attesting them would let repeated calls be served.
import {
  coveredMs,
  type Detector,
  describeReach,
  type Found,
  type Look,
  type Reach,
  stretchOf,
  windowOf,
} from '../found.ts'
import { perMonth, severityOf } from '../money.ts'
import { count, duration, number, percent, pricedAs, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000
const minRepeats = 10
// What a rule leaves to be run for real, unless it is told otherwise.
const holdoutShare = 0.05

type Row = Reach & {
  readonly tool_name: string
  readonly calls: number
  readonly repeats: number
  readonly inputs: number
  readonly input_hashes: readonly string[]
  readonly mean_cost_usd: number | null
  readonly priced: number
  readonly duration_ms: number
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the tool. Priced by what the sender says that such calls cost, less the holdout. */
export const unattestedRepeat: Detector = {
  type: 'unattested_repeat',
  lookBackMs,
  detect: async (look) => {
    const { from, to } = windowOf(look, lookBackMs)
    const rows = await look.rows<Row>('findings/find-unattested-repeats', [look.workspaceId, from, to])
    return rows.filter(({ repeats }) => repeats >= minRepeats).map((row) => describe(look, row))
  },
}

function describe(look: Look, row: Row): Found {
  const served = row.repeats * (1 - holdoutShare)
  const monthlyUsd =
    row.mean_cost_usd === null ? null : perMonth(row.mean_cost_usd * served, coveredMs(look, lookBackMs, row))
  const price =
    monthlyUsd === null
      ? 'the spans do not report the cost of a call'
      : `the mean cost of a call as reported by the sender, times ${percent(1 - holdoutShare)} of the repeated calls, projected to 30 days`
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(monthlyUsd),
    title: `Attesting ${tool} could save ${count(row.repeats, 'repeated call')}`,
    detail:
      `${number(row.repeats)} of ${count(row.calls, 'call')} of ${tool} in ${stretchOf(look, lookBackMs, row)} repeated an input within the ` +
      `freshness period of the workspace (${count(row.inputs, 'different input')}), and took ${duration(row.duration_ms)}. If the result ` +
      `depends only on the input for that period and the tool changes nothing, attest the tool in the SDK: its results are then ` +
      `stored encrypted, and the service proposes and measures a rule before it serves any result. ${pricedAs(monthlyUsd, price)}`,
    agentId: null,
    toolName: row.tool_name,
    model: null,
    occurrences: row.repeats,
    estMonthlyCostUsd: monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      calls: row.calls,
      repeats: row.repeats,
      inputs: row.inputs,
      most_repeated_input_hashes: row.input_hashes,
      waited_ms: row.duration_ms,
      price: {
        basis: price,
        mean_call_usd: row.mean_cost_usd,
        calls_with_a_price: row.priced,
        holdout_share: holdoutShare,
      },
      looked_at: describeReach(lookBackMs, row),
    },
    decision: { type: 'reuse_identity', inputHashes: row.input_hashes },
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
