// Finds agents that make the same failing call again and again within a trace.
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
import { count, quote } from '../wording.ts'

const lookBackMs = 86_400_000
const minFailures = 3
const longLoop = 10
const manyLoops = 20

type Row = ScanCoverage & {
  readonly agent_id: string
  readonly agent_name: string
  readonly tool_name: string
  readonly loops: number
  readonly failures: number
  readonly longest: number
  readonly loops_looked_at: number
  readonly loops_priced: number
  readonly known_usd: number | null
  readonly error_types: readonly string[] | null
  readonly observed_from: Date | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the agent and the tool. Price: what models and the tool cost from the first failure to the last. */
export const retryLoop: Detector = {
  type: 'retry_loop',
  lookBackMs,
  detect: async (scan) => {
    const { from, to } = windowOf(scan, lookBackMs)
    const rows = await scan.rows<Row>('findings/find-retry-loops', [scan.workspaceId, from, to, minFailures])
    return rows.map((row) => describe(scan, row))
  },
}

function describe(scan: ScanContext, row: Row): FindingDraft {
  const seenUsd =
    row.loops_priced === 0 || row.known_usd === null ? null : (row.known_usd / row.loops_looked_at) * row.loops
  const price = priceOver(seenUsd, observedSpan(scan, lookBackMs, row))
  const basis =
    seenUsd === null
      ? 'neither the failed calls nor the model calls between them have a price'
      : 'the cost of the models and the tool from the first failure to the last of each loop'
  const agent = quote(row.agent_name)
  const tool = quote(row.tool_name)
  const isBad = row.longest >= longLoop || row.loops >= manyLoops
  const kinds = row.error_types === null ? '' : ` (${row.error_types.map(quote).join(', ')})`
  return {
    subject: `${row.agent_id} ${row.tool_name}`,
    severity: severityOf(price, isBad ? 'critical' : 'warning'),
    title: `${agent} retried ${tool} without success in ${count(row.loops, 'loop')}`,
    detail:
      `In ${wordCovered(scan, lookBackMs, row)}, ${agent} called ${tool} ${count(row.failures, 'time')} in ${count(row.loops, 'loop')} of at least ` +
      `${minFailures} failures with the same input in one trace${kinds}; the longest loop had ${row.longest} failures. Return the error to the model ` +
      `with what it should do differently, and stop after the second failure of the same call. ${pricedAs(price, basis)}`,
    agentId: row.agent_id,
    toolName: row.tool_name,
    model: null,
    occurrences: row.loops,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row.trace_ids,
      loops: row.loops,
      failures: row.failures,
      longest: row.longest,
      error_types: row.error_types ?? [],
      ...describePrice(price, basis, {
        known_usd: row.known_usd,
        loops_looked_at: row.loops_looked_at,
        loops_with_a_price: row.loops_priced,
      }),
      looked_at: describeCoverage(lookBackMs, row),
    },
    decision: null,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
