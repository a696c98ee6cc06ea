// What a workspace's plan no longer keeps: events with their results, payloads, traces, rollups, findings, and old months of usage.
import type { Runner, Tx } from '../store/database.ts'
import { type BatchOptions, runBatch } from './batch.ts'

type BatchEnd = { readonly start_time: string; readonly trace_id: Buffer; readonly span_id: Buffer }

/** Before which time a workspace lets go of what it was sent; null where it keeps all of it. */
export type FindBound = (tx: Runner, workspaceId: string) => Promise<Date | null>

/** Removes what started or ended before the bound, `batchRows` a transaction. Gives how many. One transaction where there is nothing. */
type Remove = (options: BatchOptions, workspaceId: string, findBound: FindBound, batchRows: number) => Promise<number>

/** Repeats one batch until it is not full, or until the stop. */
const inBatches =
  (removeBatch: (tx: Tx, workspaceId: string, before: Date, batchRows: number) => Promise<number>): Remove =>
  async (options, workspaceId, findBound, batchRows) => {
    let total = 0
    for (;;) {
      const removed = await runBatch(options, async (tx) => {
        // Each time: a workspace that has chosen to keep more since the batch before must not lose it.
        const before = await findBound(tx, workspaceId)
        return before === null ? 0 : await removeBatch(tx, workspaceId, before, batchRows)
      })
      total += removed ?? 0
      if (removed === null || removed < batchRows) return total
    }
  }

/** Events that started before, with their encrypted results. */
export const removeEvents = inBatches(async (tx, workspaceId, before, batchRows) => {
  const end = await tx.row<BatchEnd>('retention/find-batch-end', [workspaceId, before, batchRows])
  if (end === null) return 0
  const values = [workspaceId, end.start_time, end.trace_id, end.span_id]
  await tx.run('retention/delete-tool-results', values)
  return await tx.run('retention/delete-events', values)
})

/** Payload blocks all of whose spans started before. */
export const removePayloads = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-payload-blocks', values),
)

/** Traces that ended before. */
export const removeTraces = inBatches(async (tx, ...values) => await tx.run('retention/delete-traces', values))

/** Findings that are resolved and were last seen before. */
export const removeFindings = inBatches(async (tx, ...values) => await tx.run('retention/delete-findings', values))

const dayMs = 86_400_000

/** Rollups of days (UTC) that were over before; part of a day cannot be taken from its row. */
export const removeRollups = inBatches(async (tx, workspaceId, before, batchRows) => {
  const day = new Date(Math.floor(before.getTime() / dayMs) * dayMs)
  return await tx.run('retention/delete-rollups', [workspaceId, day, batchRows])
})

/** Counts of instrumentation scopes, likewise by whole days. */
export const removeScopeCounts = inBatches(async (tx, workspaceId, before, batchRows) => {
  const day = new Date(Math.floor(before.getTime() / dayMs) * dayMs)
  return await tx.run('retention/delete-scope-counts', [workspaceId, day, batchRows])
})

/** Notes of spans that were dropped in earlier months (UTC), whatever the plan: their counts are final. */
export const removeDroppedSpans = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-dropped-spans', values),
)

const damageDays = 30

/** Removes what could not be read of rollups a month ago, whatever the plan; rarely any. */
export async function removeDamage(options: BatchOptions, workspaceId: string, now: Date): Promise<void> {
  await options.db.run('retention/delete-rollup-damage', [workspaceId, new Date(now.getTime() - damageDays * dayMs)])
}

/** Invalidations made before: the executions that they are about are gone, too. */
export const removeInvalidations = inBatches(
  async (tx, ...values) => await tx.run('retention/delete-invalidations', values),
)

/** Removes lines of the audit log that are older than 400 days, of all orgs together. */
export async function removeAudit(options: BatchOptions, batchRows: number): Promise<void> {
  for (;;) {
    const swept = await runBatch(
      options,
      async (tx) => await tx.row<{ removed: number }>('retention/sweep-audit', [batchRows]),
    )
    if ((swept?.removed ?? 0) < batchRows) return
  }
}

const usageMonths = 13

/** Removes what usage was counted more than 13 whole months ago, whatever the plan. */
export async function removeUsage(options: BatchOptions, workspaceId: string, now: Date): Promise<void> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - usageMonths, 1)).toISOString().slice(0, 10)
  await options.db.run('retention/delete-usage', [workspaceId, first])
}
