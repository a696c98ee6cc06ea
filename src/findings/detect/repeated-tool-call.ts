// Floor 3. Finds tools that an agent calls with the same input again within minutes.
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
import { count, duration, pricedAs, quote } from '../wording.ts'

const lookBackMs = 86_400_000
const withinS = 600
const minRepeats = 3
const manyRepeats = 50

type Row = Reach & {
  readonly agent_id: string
  readonly agent_name: string
  readonly tool_name: string
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

/** Subject: the agent and the tool. Priced by what the sender says that such calls cost. */
export const repeatedToolCall: Detector = {
  type: 'repeated_tool_call',
  lookBackMs,
  detect: async (look) => {
    const { from, to } = windowOf(look, lookBackMs)
    const rows = await look.rows<Row>('findings/find-repeated-calls', [look.workspaceId, from, to, withinS])
    return rows.filter(({ repeats }) => repeats >= minRepeats).map((row) => describe(look, row))
  },
}

function describe(look: Look, row: Row): Found {
  const monthlyUsd =
    row.mean_cost_usd === null ? null : perMonth(row.mean_cost_usd * row.repeats, coveredMs(look, lookBackMs, row))
  const price =
    monthlyUsd === null
      ? 'the spans do not report the cost of a call'
      : 'the mean cost of a call as reported by the sender, times the repeated calls, projected to 30 days'
  const agent = quote(row.agent_name)
  const tool = quote(row.tool_name)
  return {
    subject: `${row.agent_id} ${row.tool_name}`,
    severity: severityOf(monthlyUsd, row.repeats >= manyRepeats ? 'warning' : 'info'),
    title: `${agent} repeated ${count(row.repeats, 'call')} of ${tool}`,
    detail:
      `In ${stretchOf(look, lookBackMs, row)}, ${agent} called ${tool} ${count(row.repeats, 'time')} with an input that it had already used in the ` +
      `ten minutes before (${count(row.inputs, 'different input')}), and waited ${duration(row.duration_ms)} for the results. Keep each result ` +
      `for the duration of the task, or attest the tool so that a proven rule can serve the result. ${pricedAs(monthlyUsd, price)}`,
    agentId: row.agent_id,
    toolName: row.tool_name,
    model: null,
    occurrences: row.repeats,
    estMonthlyCostUsd: monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      within_s: withinS,
      repeats: row.repeats,
      inputs: row.inputs,
      most_repeated_input_hashes: row.input_hashes,
      waited_ms: row.duration_ms,
      price: { basis: price, mean_call_usd: row.mean_cost_usd, calls_with_a_price: row.priced },
      looked_at: describeReach(lookBackMs, row),
    },
    decision: { type: 'reuse_identity', inputHashes: row.input_hashes },
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
