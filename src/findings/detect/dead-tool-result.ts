// Floor 3. Finds tools whose results stand in prompts and are not read.
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
import { count, number, percent, pricedAs, quote } from '../wording.ts'

const lookBackMs = 7 * 86_400_000
const minConsumed = 20
const minUnreadShare = 0.95
// A result that was given only just now may yet be read.
const settledMs = 600_000

type Row = Reach & {
  readonly tool_name: string
  readonly consumed: number
  readonly read: number
  readonly unread_uses: number
  readonly mean_cost_usd: number | null
  readonly priced: number
  readonly agent_id: string | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the tool. Priced by what the sender says that such calls cost; their tokens in the prompts come on top. */
export const deadToolResult: Detector = {
  type: 'dead_tool_result',
  lookBackMs,
  detect: async (look) => {
    const { from, to } = windowOf(look, lookBackMs)
    const settled = new Date(look.nowMs - settledMs)
    const rows = await look.rows<Row>('findings/find-dead-results', [look.workspaceId, from, to, settled])
    return rows
      .filter(({ consumed, read }) => consumed >= minConsumed && consumed - read >= minUnreadShare * consumed)
      .map((row) => describe(look, row))
  },
}

function describe(look: Look, row: Row): Found {
  const unread = row.consumed - row.read
  const monthlyUsd =
    row.mean_cost_usd === null ? null : perMonth(row.mean_cost_usd * unread, coveredMs(look, lookBackMs, row))
  const price =
    monthlyUsd === null
      ? 'the spans do not say what a call costs, nor how many tokens its result takes in a prompt'
      : 'what the sender says that a call costs, times the results that nobody read, over 30 days; their tokens come on top'
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(monthlyUsd),
    title: `${percent(unread / row.consumed)} of the results of ${tool} are not read`,
    detail:
      `${number(unread)} of ${count(row.consumed, 'result')} of ${tool} in ${stretchOf(look, lookBackMs, row)} stood in the prompts of ` +
      `${count(row.unread_uses, 'model call')}, and no output nor later call depended on them. Do not call the tool where its result ` +
      `is not needed, or attest it, so that a rule can be proven and serve a stored result instead. ${pricedAs(monthlyUsd, price)}`,
    agentId: row.agent_id,
    toolName: row.tool_name,
    model: null,
    occurrences: unread,
    estMonthlyCostUsd: monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      consumed: row.consumed,
      read: row.read,
      prompts_with_unread_results: row.unread_uses,
      price: { basis: price, mean_call_usd: row.mean_cost_usd, calls_with_a_price: row.priced },
      looked_at: describeReach(lookBackMs, row),
    },
    decision: { type: 'suppress_dead', inputHashes: null },
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
