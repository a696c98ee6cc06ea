// Floor 3. Adds the outcomes of a group to the workspaces' usage, in the transaction that stores the spans.
import type { Tx } from '../store/database.ts'
import type { Batch, BatchOutcome } from './batch.ts'

type Sums = {
  stored: number
  duplicate: number
  rejected: number
  droppedQuota: number
  droppedAgentCap: number
}

/** In key order, so that rivals cannot deadlock. */
export async function recordUsage(tx: Tx, group: readonly Batch[], outcomes: readonly BatchOutcome[]): Promise<void> {
  const sums = sumByWorkspace(group, outcomes)
  if (sums.size === 0) return
  const ids = [...sums.keys()]
  const all = [...sums.values()]
  await tx.run('ingest/add-usage-month', [
    ids,
    all.map((sum) => sum.stored),
    all.map((sum) => sum.droppedQuota),
    all.map((sum) => sum.droppedAgentCap),
  ])
  await tx.run('ingest/add-usage-day', [
    ids,
    all.map((sum) => sum.stored),
    all.map((sum) => sum.duplicate),
    all.map((sum) => sum.rejected),
    all.map((sum) => sum.droppedQuota),
    all.map((sum) => sum.droppedAgentCap),
  ])
  await recordRejections(tx, group, outcomes)
}

function sumByWorkspace(group: readonly Batch[], outcomes: readonly BatchOutcome[]): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const [at, batch] of group.entries()) {
    const outcome = outcomes[at]
    if (outcome === undefined || outcome.workspaceGone) continue
    const sum = sums.get(batch.workspaceId) ?? {
      stored: 0,
      duplicate: 0,
      rejected: 0,
      droppedQuota: 0,
      droppedAgentCap: 0,
    }
    sum.stored += outcome.stored
    sum.duplicate += outcome.duplicate
    sum.droppedQuota += outcome.droppedQuota
    sum.droppedAgentCap += outcome.droppedAgentCap
    sum.rejected += batch.rejections.reduce((total, { count }) => total + count, 0)
    sums.set(batch.workspaceId, sum)
  }
  return sums
}

async function recordRejections(tx: Tx, group: readonly Batch[], outcomes: readonly BatchOutcome[]): Promise<void> {
  const byReason = new Map<string, { workspaceId: string; reason: string; count: number; example: string }>()
  for (const [at, batch] of group.entries()) {
    if (outcomes[at]?.workspaceGone !== false) continue
    for (const { reason, count, example } of batch.rejections) {
      const key = `${batch.workspaceId} ${reason}`
      const known = byReason.get(key)
      byReason.set(key, { workspaceId: batch.workspaceId, reason, count: count + (known?.count ?? 0), example })
    }
  }
  const rows = [...byReason.values()]
  if (rows.length === 0) return
  await tx.run('ingest/add-rejections', [
    rows.map((row) => row.workspaceId),
    rows.map((row) => row.reason),
    rows.map((row) => row.count),
    rows.map((row) => row.example),
  ])
}
