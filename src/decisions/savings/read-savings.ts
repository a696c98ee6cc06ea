// Reads what rules saved, less what they cost. The net can be negative.
import type { Database } from '../../store/database.ts'
import { assumedFetchMs } from '../config.ts'
import { readCacheLosses } from './read-cache-losses.ts'

export type Savings = {
  readonly served_calls: number
  readonly holdout_calls: number
  /** What the served calls would have cost. */
  readonly gross_usd: number
  /** Cost of the held-out calls, which was not saved. It is shown beside the net saving and never deducted from it. */
  readonly holdout_cost_usd: number
  readonly cache_loss_usd: number
  /**
   * Cost of served results that were wrong. Their share is that which the watch measured in the phase in which they were served, from one
   * activation of the rule to its end: later phases do not change it.
   */
  readonly wrong_cost_usd: number
  readonly net_usd: number
  readonly latency_saved_ms: number
}

export type DecisionSavings = Savings & {
  readonly decision_id: string
  readonly type: string
  readonly state: string
  readonly tool_name: string
  readonly input_hash: string | null
}

export type SavingsQuery = {
  readonly workspaceId: string
  readonly from: Date
  readonly to: Date
  readonly decisionId: string | null
  /** Starts of the buckets of the points, in Unix ms, ascending. The first one is not after the start of the window. */
  readonly startsMs: readonly number[]
}

type ServingRow = {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly tool_name: string
  readonly tool_version: string | null
  readonly input_hash: string | null
  readonly agent_id: string | null
  /** PostgreSQL's text of the times, in microseconds. */
  readonly phase_starts: readonly string[]
  readonly phase_wrong_shares: readonly number[]
  readonly served_calls: number
  readonly served_ms: number
  readonly holdout_calls: number
  readonly holdout_usd: number
  readonly unpriced_holdouts: number
  /** Estimated, so not a whole number. */
  readonly wrong_calls: number
  /** The last call that was served or held out, as PostgreSQL's text. */
  readonly last_at: string
  readonly gross_usd: number
  readonly mean_cost_usd: number | null
  readonly median_ms: number | null
}
type PointRow = Omit<Savings, 'net_usd'> & { readonly bucket: number }

const sampledExecutions = 1_000
const usdSteps = 1e10

/** Returns the total, each decision that served or held out calls, and every bucket. Three statements on one snapshot. */
export async function readSavings({ db }: { readonly db: Database }, query: SavingsQuery) {
  const { workspaceId, from, to, decisionId, startsMs } = query
  return await db.tx(
    async (tx) => {
      const window = [from, to]
      const given = [workspaceId, decisionId, ...window, assumedFetchMs, sampledExecutions]
      const serving = await tx.rows<ServingRow>('decisions/list-serving', given)
      const losses = await readCacheLosses(tx, workspaceId, serving, { from, to })
      const phases = serving.flatMap(listPhases)
      const points = await tx.rows<PointRow>('decisions/chart-savings', [
        workspaceId,
        phases.map(({ row }) => row.id),
        phases.map(({ row }) => perServedCall(row)),
        phases.map(({ row }) => row.median_ms),
        phases.map(({ row }) => losses.get(row.id) ?? 0),
        ...window,
        startsMs.map((ms) => new Date(ms)),
        assumedFetchMs,
        phases.map(({ row, wrongShare }) => perServedCall(row) * wrongShare),
        phases.map(({ row }) => row.mean_cost_usd ?? 0),
        phases.map(({ since }) => since),
        phases.map(({ until }) => until),
      ])
      const decisions = serving.map((row) => sumUp(row, losses.get(row.id) ?? 0))
      return { total: addUp(decisions), decisions, points: fill(points, startsMs) }
    },
    { snapshot: true },
  )
}

const perServedCall = ({ served_calls: served, gross_usd: grossUsd }: ServingRow): number =>
  served === 0 ? 0 : grossUsd / served

type Phase = {
  readonly row: ServingRow
  readonly since: string
  /** Exclusive. */
  readonly until: string
  readonly wrongShare: number
}

const listPhases = (row: ServingRow): Phase[] =>
  row.phase_starts.map((since, at) => ({
    row,
    since,
    until: row.phase_starts[at + 1] ?? 'infinity',
    wrongShare: row.phase_wrong_shares[at] ?? 0,
  }))

function sumUp(row: ServingRow, lossUsd: number): DecisionSavings {
  const { served_calls: served, median_ms: medianMs } = row
  return {
    decision_id: row.id,
    type: row.type,
    state: row.state,
    tool_name: row.tool_name,
    input_hash: row.input_hash,
    ...net({
      served_calls: served,
      holdout_calls: row.holdout_calls,
      gross_usd: row.gross_usd,
      holdout_cost_usd: row.holdout_usd + row.unpriced_holdouts * (row.mean_cost_usd ?? 0),
      cache_loss_usd: served * lossUsd,
      wrong_cost_usd: perServedCall(row) * row.wrong_calls,
      latency_saved_ms: medianMs === null ? 0 : served * medianMs - row.served_ms,
    }),
  }
}

const addUp = (all: readonly Savings[]): Savings => {
  const sum = (read: (one: Savings) => number): number => all.reduce((total, one) => total + read(one), 0)
  return net({
    served_calls: sum((one) => one.served_calls),
    holdout_calls: sum((one) => one.holdout_calls),
    gross_usd: sum((one) => one.gross_usd),
    holdout_cost_usd: sum((one) => one.holdout_cost_usd),
    cache_loss_usd: sum((one) => one.cache_loss_usd),
    wrong_cost_usd: sum((one) => one.wrong_cost_usd),
    latency_saved_ms: sum((one) => one.latency_saved_ms),
  })
}

const nothing = {
  served_calls: 0,
  holdout_calls: 0,
  gross_usd: 0,
  holdout_cost_usd: 0,
  cache_loss_usd: 0,
  wrong_cost_usd: 0,
  latency_saved_ms: 0,
}

function fill(rows: readonly PointRow[], startsMs: readonly number[]): (Savings & { readonly time: string })[] {
  const byBucket = new Map(rows.map(({ bucket, ...savings }) => [bucket, savings]))
  return startsMs.map((ms, at) => ({ time: new Date(ms).toISOString(), ...net(byBucket.get(at + 1) ?? nothing) }))
}

/** Adds the net saving and rounds the amounts, so that additions leave no floating-point residue. */
function net(sums: Omit<Savings, 'net_usd'>): Savings {
  const round = (usd: number): number => Math.round(usd * usdSteps) / usdSteps
  return {
    ...sums,
    gross_usd: round(sums.gross_usd),
    holdout_cost_usd: round(sums.holdout_cost_usd),
    cache_loss_usd: round(sums.cache_loss_usd),
    wrong_cost_usd: round(sums.wrong_cost_usd),
    net_usd: round(sums.gross_usd - sums.cache_loss_usd - sums.wrong_cost_usd),
    latency_saved_ms: Math.round(sums.latency_saved_ms * 1_000) / 1_000,
  }
}
