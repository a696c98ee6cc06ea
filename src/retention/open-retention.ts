// The loop that removes expired data: at the start and then every hour, in transactions too small to disturb ingest.
import { openPassLoop, type PassLoop } from '../base/pass-loop.ts'
import type { Database, Runner } from '../store/database.ts'
import { readClock } from '../store/database-clock.ts'
import { isOfItsRows, type RemovalBatchOptions } from './batch.ts'
import { dropChunks } from './drop-chunks.ts'
import {
  type FindBound,
  removeAudit,
  removeDamage,
  removeDroppedSpans,
  removeEnded,
  removeEvents,
  removeFindings,
  removeInvalidations,
  removePayloads,
  removeRollups,
  removeScopeCounts,
  removeTraces,
  removeUsage,
} from './remove-expired.ts'

export type Removed = { readonly chunks: number; readonly events: number; readonly traces: number }

export type RetentionOptions = {
  readonly db: Database
  /**
   * Returns for how many days a workspace of the plan keeps its data; null: forever. `chosenDays` is the number that the workspace has
   * chosen; null: none. The result must be more than the maximum age of an accepted span.
   */
  readonly keepDaysOf: (plan: string, chosenDays: number | null) => number | null
  /** Called after a pass that removed something. */
  readonly onRemoved: (removed: Removed) => void
  /** Called after each pass that completed without a failure. */
  readonly onPassed?: () => void
  readonly onError: (error: unknown) => void
  readonly tickMs?: number
  readonly batchRows?: number
  readonly lockTimeoutMs?: number
  readonly retryMs?: number
  /** Default: the clock of the database. */
  readonly now?: () => Date
}

type Kept = { readonly plan: string; readonly retention_days: number | null }
type Workspace = Kept & { readonly id: string }
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const dayMs = 86_400_000
const pageSize = 1_000

/**
 * Any number of processes may run it: one of them removes at a time, and each processes all workspaces. A stop ends after the current batch.
 */
export function openRetention(options: RetentionOptions): PassLoop {
  const { db, keepDaysOf, batchRows = 2_000, tickMs = 3_600_000 } = options
  const stopping = new AbortController()
  const batch: RemovalBatchOptions = {
    db,
    lockTimeoutMs: options.lockTimeoutMs ?? 100,
    retryMs: options.retryMs ?? 1_000,
    signal: stopping.signal,
  }
  /** The start of the pass. Ages of rows are measured against it. */
  let passAt = new Date(0)

  /** Chunks before this time hold nothing that any workspace keeps, so they can be dropped unread; null if a workspace keeps everything. */
  async function findDropBound(tx: Runner): Promise<Date | null> {
    const plans = await tx.rows<Kept>('retention/list-plans')
    const days = plans.map(readDays)
    return days.length === 0 || days.includes(null) ? null : bound(Math.max(...days.map((one) => one ?? 0)))
  }

  const findBound: FindBound = async (tx, workspaceId) => {
    const kept = await tx.row<Kept>('retention/read-workspace', [workspaceId])
    const days = kept === null ? null : readDays(kept)
    return days === null ? null : bound(days)
  }

  const readDays = ({ plan, retention_days: chosen }: Kept): number | null => keepDaysOf(plan, chosen)
  const bound = (days: number): Date => new Date(passAt.getTime() - days * dayMs)

  /** Returns false if the removal failed, which it reports. The next pass tries it again, and the removals after it go on. */
  async function attempt(remove: () => Promise<void>): Promise<boolean> {
    try {
      await remove()
      return true
    } catch (error) {
      if (!isOfItsRows(error)) throw error
      options.onError(error)
      return false
    }
  }

  /** Adds to `removed` along the way, since it may throw. Returns false if a part of it failed. */
  async function removeAll(removed: Mutable<Removed>): Promise<boolean> {
    passAt = options.now?.() ?? (await readClock(db))
    let isWhole = await attempt(
      async () => await dropChunks(batch, findDropBound, (chunks) => void (removed.chunks += chunks)),
    )
    for (let page = await readPage(null); page.length > 0; page = await readPage(page.at(-1)?.id ?? null)) {
      for (const workspace of page) {
        if (stopping.signal.aborted) return isWhole
        if (!(await removeOf(workspace, removed))) isWhole = false
      }
    }
    if (!(await attempt(async () => await removeAudit(batch, batchRows)))) isWhole = false
    if (!(await attempt(async () => await removeEnded(batch, batchRows)))) isWhole = false
    return isWhole
  }

  /** Returns false if a part of it failed. */
  async function removeOf(workspace: Workspace, removed: Mutable<Removed>): Promise<boolean> {
    const { id } = workspace
    const expired = [
      async () => {
        await removeEvents(batch, id, findBound, batchRows, (rows) => void (removed.events += rows))
        // Only now: without its invalidation, a result that is still stored would be valid again.
        await removeInvalidations(batch, id, findBound, batchRows)
      },
      async () => await removePayloads(batch, id, findBound, batchRows),
      async () => await removeTraces(batch, id, findBound, batchRows, (rows) => void (removed.traces += rows)),
      async () => await removeRollups(batch, id, findBound, batchRows),
      async () => await removeScopeCounts(batch, id, findBound, batchRows),
      async () => await removeFindings(batch, id, findBound, batchRows),
    ]
    const old = [
      async () => await removeDroppedSpans(batch, id, async () => passAt, batchRows),
      async () => await removeDamage(batch, id, passAt),
      async () => await removeUsage(batch, id, passAt),
    ]
    let isWhole = true
    // Saves the queries for a workspace that keeps everything.
    for (const remove of readDays(workspace) === null ? old : [...expired, ...old]) {
      if (!(await attempt(remove))) isWhole = false
    }
    return isWhole
  }

  const readPage = async (after: string | null): Promise<Workspace[]> =>
    await db.rows<Workspace>('retention/list-workspaces', [after, pageSize])

  async function removeOnce(): Promise<void> {
    const removed = { chunks: 0, events: 0, traces: 0 }
    const isWhole = await removeAll(removed).finally(() => {
      if (removed.chunks + removed.events + removed.traces > 0) options.onRemoved(removed)
    })
    if (isWhole) options.onPassed?.()
  }

  return openPassLoop({ tickMs, stopping, run: removeOnce, onError: options.onError })
}
