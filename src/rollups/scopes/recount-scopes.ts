// Recomputes the counts of instrumentation scopes from events, while ingest continues. Repeating it changes nothing.
import { pause } from '../../base/pause.ts'
import { maxScopes } from '../../sketches/scope-sums.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { TimeSpan } from '../spans.ts'
import { ceilTo, floorTo, minuteMs, type Tier, tiers } from '../tiers.ts'
import { maxDeltas, moveScopes } from './fold-scopes.ts'

export type RecountOptions = {
  readonly workspaceId: string
  /** Whole minutes. */
  readonly window: TimeSpan
  /** Limit of one transaction; the minute in which it is reached is still counted to its end. */
  readonly maxEvents: number
  readonly signal: AbortSignal
}

const retryMs = 50

/** Bounded transactions, each exact in itself. Ends early if the workspace is deleted or the signal aborts. Throws Outage. */
export async function recountScopes(db: Database, options: RecountOptions): Promise<void> {
  const { workspaceId, window, maxEvents, signal } = options
  let { fromMs } = window
  while (fromMs < window.toMs && !signal.aborted) {
    const left = { fromMs, toMs: window.toMs }
    const doneMs = await db.tx(async (tx) => {
      // Taken before the snapshot of the statement that counts: two concurrent recounts would both append what is missing.
      const held = await tx.rows('rollups/hold-workspaces', [[workspaceId]])
      return held.length === 0 ? null : await recountSome(tx, workspaceId, left, maxEvents)
    })
    if (doneMs === null && (await db.row('rollups/is-alive', [workspaceId])) === null) return
    if (doneMs === null) await pause(retryMs, signal)
    fromMs = doneMs ?? fromMs
  }
}

/** Returns the time up to which it counted. */
async function recountSome(
  tx: Tx,
  workspaceId: string,
  { fromMs, toMs }: TimeSpan,
  maxEvents: number,
): Promise<number> {
  const values = [workspaceId, fromMs / 1_000, toMs / 1_000, maxEvents]
  const beyond = await tx.row<{ start_s: number }>('rollups/find-recount-end', values)
  const endMs = beyond === null ? toMs : Math.max(floorTo(beyond.start_s * 1_000, tiers.minute), fromMs + minuteMs)
  await tx.run('rollups/recount-scopes', [workspaceId, fromMs / 1_000, endMs / 1_000])
  // Deltas that are committed meanwhile can wait: a steady sender always adds more.
  while ((await moveScopes(tx, [workspaceId])) === maxDeltas);
  for (const tier of [tiers.hour, tiers.day]) await sumUp(tx, workspaceId, tier, { fromMs, toMs: endMs })
  return endMs
}

/** Recomputes the hours that a window touches from their minutes, or the days from their hours. */
async function sumUp(tx: Tx, workspaceId: string, tier: Tier, { fromMs, toMs }: TimeSpan): Promise<void> {
  const values = [workspaceId, tier, floorTo(fromMs, tier) / 1_000, ceilTo(toMs, tier) / 1_000]
  await tx.run('rollups/delete-scopes', values)
  await tx.run('rollups/sum-up-scopes', [...values, maxScopes])
}
