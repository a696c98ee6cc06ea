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
      ? 'the spans report neither the cost of a call nor the number of tokens that its result takes in a prompt'
      : 'the mean cost of a call as reported by the sender, times the unused results, projected to 30 days; the cost of their tokens in prompts is not included'
  const tool = quote(row.tool_name)
  return {
    subject: row.tool_name,
    severity: severityOf(monthlyUsd),
    title: `${percent(unread / row.consumed)} of the results of ${tool} are not used`,
    detail:
      `${number(unread)} of ${count(row.consumed, 'result')} of ${tool} in ${stretchOf(look, lookBackMs, row)} were in the prompts of ` +
      `${count(row.unread_uses, 'model call')}, but no model output and no later call used them. Call the tool only where its result ` +
      `is needed, or attest the tool so that a proven rule can serve a stored result instead. ${pricedAs(monthlyUsd, price)}`,
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
