// Floor 3. What a workspace's plan no longer keeps: events with their results, payloads, traces, and old months of usage.
import { type BatchOptions, runBatch } from './batch.ts'

type BatchEnd = { readonly start_time: string; readonly trace_id: Buffer; readonly span_id: Buffer }

/** Removes events that started before `before`, `batchRows` a transaction. Gives how many. One query where there are none. */
export async function removeEvents(
  options: BatchOptions,
  workspaceId: string,
  before: Date,
  batchRows: number,
): Promise<number> {
  return await repeat(
    batchRows,
    async () =>
      await runBatch(options, async (tx) => {
        const end = await tx.row<BatchEnd>('retention/find-batch-end', [workspaceId, before, batchRows])
        if (end === null) return 0
        const values = [workspaceId, end.start_time, end.trace_id, end.span_id]
        await tx.run('retention/delete-tool-results', values)
        return await tx.run('retention/delete-events', values)
      }),
  )
}

/** Removes payload blocks all of whose spans started before `before`, `batchRows` a transaction. */
export async function removePayloads(
  options: BatchOptions,
  workspaceId: string,
  before: Date,
  batchRows: number,
): Promise<number> {
  return await repeat(
    batchRows,
    async () =>
      await runBatch(
        options,
        async (tx) => await tx.run('retention/delete-payload-blocks', [workspaceId, before, batchRows]),
      ),
  )
}

/** Removes traces that ended before `before`, `batchRows` a transaction. Gives how many. */
export async function removeTraces(
  options: BatchOptions,
  workspaceId: string,
  before: Date,
  batchRows: number,
): Promise<number> {
  return await repeat(
    batchRows,
    async () =>
      await runBatch(options, async (tx) => await tx.run('retention/delete-traces', [workspaceId, before, batchRows])),
  )
}

const usageMonths = 13

/** Removes what usage was counted more than 13 whole months ago, whatever the plan. */
export async function removeUsage(options: BatchOptions, workspaceId: string, now: Date): Promise<void> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - usageMonths, 1)).toISOString().slice(0, 10)
  await options.db.run('retention/delete-usage', [workspaceId, first])
}

/** Until a batch is not full, or there was none. */
async function repeat(full: number, batch: () => Promise<number | null>): Promise<number> {
  let total = 0
  for (;;) {
    const removed = await batch()
    total += removed ?? 0
    if (removed === null || removed < full) return total
  }
}
