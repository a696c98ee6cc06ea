// Does one piece of the pending work on a workspace's rollups, in one bounded transaction.
import type { Database, Tx } from '../store/database.ts'
import { applyDeltas } from './apply-deltas.ts'
import type { FoldLimits } from './fold-deltas.ts'
import { type RebuildLimits, rebuildMinutes } from './rebuild-minutes.ts'
import { sumUp } from './sum-up.ts'
import { takeDeltas } from './take-deltas.ts'
import { askForRebuilds, type Rebuild, type SumKind, workKinds } from './work.ts'

export type WorkLimits = FoldLimits & RebuildLimits

type Work = { readonly kind: SumKind | 0; readonly start_s: number; readonly end_s: number }

export type WorkDone = {
  /** none: nothing is due; held: another process is working on the workspace; folded: its deltas had to be folded first. */
  readonly result: 'none' | 'held' | 'folded' | 'summed' | 'rebuilt'
  readonly minutes: number
}

/**
 * Does the work that has been due for longest, or a part of it. Work that is due within `aheadMs` counts as due. The snapshot is as old as
 * the attempt to hold the workspace, so another process may have held it since. Whatever that one changed is either written or deleted here
 * as well, which fails (40001): the row of a minute, the deltas, or the request.
 */
export async function doWork(db: Database, workspaceId: string, limits: WorkLimits, aheadMs = 0): Promise<WorkDone> {
  return await db.tx(
    async (tx) => {
      const held = await tx.rows('rollups/hold-workspaces', [[workspaceId]])
      if (held.length === 0) return { result: 'held', minutes: 0 }
      const work = await tx.row<Work>('rollups/find-due-work', [workspaceId, aheadMs])
      if (work === null) return { result: 'none', minutes: 0 }
      const startMs = work.start_s * 1_000
      if (work.kind === workKinds.rebuild) {
        return await rebuild(tx, { workspaceId, fromMs: startMs, toMs: work.end_s * 1_000 }, limits)
      }
      await sumUp(tx, { workspaceId, kind: work.kind, startMs }, limits.onDamage)
      await tx.run('rollups/finish-work', [workspaceId, work.kind, work.start_s])
      return { result: 'summed', minutes: 0 }
    },
    { snapshot: true },
  )
}

async function rebuild(tx: Tx, window: Rebuild, limits: WorkLimits): Promise<WorkDone> {
  const { workspaceId, fromMs, toMs } = window
  // First, since the same window may be requested again below.
  await tx.run('rollups/finish-work', [workspaceId, workKinds.rebuild, fromMs / 1_000])
  const { byWorkspace, more, stale } = await takeDeltas(tx, [workspaceId], limits)
  if (more.size > 0) {
    // A recount of the events includes the remaining deltas too, so all of them would have to be removed at once.
    await askForRebuilds(tx, [window], 0)
    await askForRebuilds(tx, stale, limits.staleAfterMs)
    return { result: 'folded', minutes: await applyDeltas(tx, byWorkspace, limits.onDamage) }
  }
  const { doneMs, minutes } = await rebuildMinutes(tx, window, limits)
  const isRebuilt = (ms: number): boolean => ms >= fromMs && ms < doneMs
  await applyDeltas(tx, byWorkspace, limits.onDamage, isRebuilt)
  const left = stale.filter((one) => !isRebuilt(one.fromMs))
  await askForRebuilds(tx, left, limits.staleAfterMs)
  if (doneMs < toMs) await askForRebuilds(tx, [{ workspaceId, fromMs: doneMs, toMs }], 0)
  return { result: 'rebuilt', minutes }
}
