// Removes data that the plan of a workspace no longer keeps: events with their results, payloads, traces, rollups, findings, and old months
// of usage.
import { runFitting } from '../store/batch-size.ts'
import type { Runner, Tx } from '../store/database.ts'
import { type RemovalBatchOptions, runBatch } from './batch.ts'

type BatchEnd = { readonly start_time: string; readonly trace_id: Buffer; readonly span_id: Buffer }

/** Returns the time before which the data of a workspace has expired; null if the workspace keeps everything. */
export type FindBound = (tx: Runner, workspaceId: string) => Promise<Date | null>

/**
 * Removes rows that started or ended before the bound, at most `batchRows` per transaction. One transaction if there are none. `onRemoved` is
 * called with the number of rows of each transaction, since a later one may throw.
 */
type Remove = (
  options: RemovalBatchOptions,
  workspaceId: string,
  findBound: FindBound,
  batchRows: number,
  onRemoved?: (rows: number) => void,
) => Promise<void>

/** Repeats a batch until one is not full, or until the stop. */
const inBatches =
  (removeBatch: (tx: Tx, workspaceId: string, before: Date, batchRows: number) => Promise<number>): Remove =>
  async (options, workspaceId, findBound, batchRows, onRemoved = () => undefined) => {
    const size = { rows: batchRows }
    const removeSome = async (tx: Tx, rows: number): Promise<number> => {
      // Read for each batch: if the workspace chose to keep more since the last batch, that data must not be removed.
      const before = await findBound(tx, workspaceId)
      return before === null ? 0 : await removeBatch(tx, workspaceId, before, rows)
    }
    for (;;) {
      const removed = await runFitting(
        size,
        async (rows) => await runBatch(options, async (tx) => await removeSome(tx, rows)),
      )
      if (removed === null) return
      onRemoved(removed)
      if (removed < size.rows) return
    }
  }

/** Events that started before the bound, with their encrypted results. */
export const removeEvents = inBatches(async (tx, workspaceId, before, batchRows) => {
  const end = await tx.row<BatchEnd>('retention/find-batch-end', [workspaceId, before, batchRows])
  if (end === null) return 0
  const values = [workspaceId, end.start_time, end.trace_id, end.span_id]
  await tx.run('retention/delete-tool-results', values)
  return await tx.run('retention/delete-events', values)
})

/** Payload blocks all of whose spans started before the bound. */
export const removePayloads = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-payload-blocks', values),
)

/** Traces that ended before the bound. */
export const removeTraces = inBatches(async (tx, ...values) => await tx.run('retention/delete-traces', values))

/** Resolved findings that were last seen before the bound. */
export const removeFindings = inBatches(async (tx, ...values) => await tx.run('retention/delete-findings', values))

const dayMs = 86_400_000

/** Rollups of days (UTC) that ended before the bound; part of a day cannot be removed from its row. */
export const removeRollups = inBatches(async (tx, workspaceId, before, batchRows) => {
  const day = new Date(Math.floor(before.getTime() / dayMs) * dayMs)
  return await tx.run('retention/delete-rollups', [workspaceId, day, batchRows])
})

/** Counts of instrumentation scopes, also by whole days. */
export const removeScopeCounts = inBatches(async (tx, workspaceId, before, batchRows) => {
  const day = new Date(Math.floor(before.getTime() / dayMs) * dayMs)
  return await tx.run('retention/delete-scope-counts', [workspaceId, day, batchRows])
})

/** Records of spans that were dropped in earlier months (UTC), whatever the plan: the counts of those months are final. */
export const removeDroppedSpans = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-dropped-spans', values),
)

const damageDays = 30

/** Removes records of unreadable rollups that are older than 30 days, whatever the plan. There are rarely any. */
export async function removeDamage(options: RemovalBatchOptions, workspaceId: string, now: Date): Promise<void> {
  await options.db.run('retention/delete-rollup-damage', [workspaceId, new Date(now.getTime() - damageDays * dayMs)])
}

/** Invalidations made before the bound: the executions that they concern are removed too. */
export const removeInvalidations = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-invalidations', values),
)

/** Repeats a sweep of all orgs together until it finds nothing more. */
const inSweeps =
  (statement: string) =>
  async (options: RemovalBatchOptions, batchRows: number): Promise<void> => {
    const size = { rows: batchRows }
    const sweep = async (tx: Tx, rows: number) => await tx.row<{ removed: number }>(statement, [rows])
    for (;;) {
      const swept = await runFitting(size, async (rows) => await runBatch(options, async (tx) => await sweep(tx, rows)))
      if ((swept?.removed ?? 0) < size.rows) return
    }
  }

/** Removes lines of the audit log that are older than 400 days. */
export const removeAudit = inSweeps('retention/sweep-audit')

/** Removes keys, workspaces and orgs that ended more than 400 days ago: no line of the audit log names them any more. */
export const removeEnded = inSweeps('retention/sweep-ended')

const usageMonths = 13

/** Removes usage counts of months more than 13 months ago, whatever the plan. */
export async function removeUsage(options: RemovalBatchOptions, workspaceId: string, now: Date): Promise<void> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - usageMonths, 1)).toISOString().slice(0, 10)
  await options.db.run('retention/delete-usage', [workspaceId, first])
}
