// Adds the outcomes of a group to the usage of its workspaces and notifies the tail, in the transaction that stores the spans.
import { makeArrayParam } from '../../store/array-param.ts'
import type { BatchOutcome } from '../batch.ts'
import { type BatchSlice, eachKept, rowStatus, type Work } from './batch-slice.ts'
import type { Sending } from './outbox.ts'

/** A slice and its result. */
export type SliceOutcome = { readonly slice: BatchSlice; readonly work: Work | null; readonly outcome: BatchOutcome }

type Sums = {
  stored: number
  duplicate: number
  rejected: number
  droppedQuota: number
  droppedAgentCap: number
  /** Dropped spans that the month has already counted as dropped. */
  quotaAgain: number
  agentCapAgain: number
  /** Times of the stored rows; infinite if none was stored. */
  firstUs: number
  lastUs: number
}

/** Rows are written in the order of workspace ids, so that concurrent transactions cannot deadlock. */
export function recordOutcomes(tx: Sending, done: readonly SliceOutcome[]): void {
  const alive = done.filter(({ outcome }) => !outcome.workspaceGone)
  const sums = sumByWorkspace(alive)
  if (sums.size === 0) return
  const all = [...sums.values()]
  const times = (read: (sum: Sums) => number): Buffer =>
    makeArrayParam('timestamptz', all.length, (writer) => {
      for (const sum of all) {
        if (sum.stored === 0) writer.nul()
        else writer.timestamp(read(sum))
      }
    })
  tx.send('ingest/add-outcomes', [
    [...sums.keys()],
    all.map((sum) => sum.stored),
    all.map((sum) => sum.duplicate),
    all.map((sum) => sum.rejected),
    all.map((sum) => sum.droppedQuota),
    all.map((sum) => sum.droppedAgentCap),
    times((sum) => sum.firstUs),
    times((sum) => sum.lastUs),
    all.map((sum) => sum.quotaAgain),
    all.map((sum) => sum.agentCapAgain),
  ])
  recordRejections(tx, alive)
}

function sumByWorkspace(done: readonly SliceOutcome[]): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { slice, work, outcome } of done) {
    let sum = sums.get(slice.batch.workspaceId)
    if (sum === undefined) {
      sum = {
        stored: 0,
        duplicate: 0,
        rejected: 0,
        droppedQuota: 0,
        droppedAgentCap: 0,
        quotaAgain: 0,
        agentCapAgain: 0,
        firstUs: Number.POSITIVE_INFINITY,
        lastUs: Number.NEGATIVE_INFINITY,
      }
      sums.set(slice.batch.workspaceId, sum)
    }
    sum.stored += outcome.stored
    sum.duplicate += outcome.duplicate
    sum.droppedQuota += outcome.droppedQuota
    sum.droppedAgentCap += outcome.droppedAgentCap
    sum.quotaAgain += countFate(work, rowStatus.overQuotaAgain)
    sum.agentCapAgain += countFate(work, rowStatus.overCapAgain)
    sum.rejected += slice.rejections.reduce((total, { count }) => total + count, 0)
    if (work !== null) addTimes(sum, work)
  }
  return sums
}

function countFate(work: Work | null, fate: number): number {
  let count = 0
  if (work !== null) for (let row = work.from; row < work.to; row++) if (work.rowStatuses[row] === fate) count++
  return count
}

function addTimes(sum: Sums, work: Work): void {
  const { startUs } = work.batch.columns
  eachKept(work, (row) => {
    const start = startUs[row] as number
    if (start < sum.firstUs) sum.firstUs = start
    if (start > sum.lastUs) sum.lastUs = start
  })
}

function recordRejections(tx: Sending, done: readonly SliceOutcome[]): void {
  const byReason = new Map<string, { workspaceId: string; reason: string; count: number; example: string }>()
  for (const { batch, rejections } of done.map(({ slice }) => slice)) {
    for (const { reason, count, example } of rejections) {
      const key = `${batch.workspaceId} ${reason}`
      const known = byReason.get(key)
      byReason.set(key, { workspaceId: batch.workspaceId, reason, count: count + (known?.count ?? 0), example })
    }
  }
  const rows = [...byReason.values()]
  if (rows.length === 0) return
  tx.send('ingest/add-rejections', [
    rows.map((row) => row.workspaceId),
    rows.map((row) => row.reason),
    rows.map((row) => row.count),
    rows.map((row) => row.example),
  ])
}
