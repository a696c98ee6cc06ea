// Rebuilding on demand: recomputes a window of one workspace from its events, while ingest continues.
import { nilUuid } from '../base/ids.ts'
import { pause } from '../base/pause.ts'
import type { Database } from '../store/database.ts'
import { doWork, type WorkLimits } from './do-work.ts'
import { isClash } from './fold-waiting.ts'
import { recountScopes } from './scopes/recount-scopes.ts'
import { ceilTo, floorTo, minuteMs, tiers } from './tiers.ts'
import { askForRebuilds, type Rebuild } from './work.ts'

export type RebuildOptions = {
  readonly limits: WorkLimits
  /** Rounded outwards to whole minutes. Default: from the first event or rollup to the last. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly signal: AbortSignal
}

const retryMs = 50

/**
 * Returns how many minutes were recomputed. The window is recorded first: if this process ends early, the service does the rest. The counts
 * of instrumentation scopes are recomputed last, by this process alone. Ends early if the workspace is deleted. Bounded transactions, each
 * exact in itself. Throws Outage if the database is unavailable.
 */
export async function rebuildWorkspace(db: Database, workspaceId: string, options: RebuildOptions): Promise<number> {
  const extent = await db.row<{ from_s: number | null; to_s: number | null }>('rollups/find-extent', [workspaceId])
  if (extent === null || extent.from_s === null || extent.to_s === null) return 0
  const fromMs = floorTo(options.fromMs ?? extent.from_s * 1_000, tiers.minute)
  const toMs = ceilTo(options.toMs ?? extent.to_s * 1_000 + minuteMs, tiers.minute)
  if (fromMs >= toMs) return 0
  const minutes = await rebuildRollups(db, { workspaceId, fromMs, toMs }, options)
  const { limits, signal } = options
  await recountScopes(db, { workspaceId, window: { fromMs, toMs }, maxEvents: limits.maxEvents, signal })
  return minutes
}

/** Returns how many minutes were recomputed. */
async function rebuildRollups(db: Database, window: Rebuild, options: RebuildOptions): Promise<number> {
  const { workspaceId } = window
  if (!(await writeDown(db, window))) return 0
  let minutes = 0
  while (!options.signal.aborted) {
    const done = await doWork(db, workspaceId, options.limits).catch((error: unknown) => {
      if (isClash(error)) return null
      throw error
    })
    if (done?.result === 'none') return minutes
    minutes += done?.result === 'rebuilt' ? done.minutes : 0
    if (done === null || done.result === 'held') {
      // The service is working on it, perhaps on this window, or the workspace is gone.
      if ((await db.row('rollups/find-due-work', [workspaceId, 0])) === null) return minutes
      // The work of a deleted workspace is never done, and remains until the purge.
      if ((await db.row('rollups/is-alive', [workspaceId])) === null) return minutes
      await pause(retryMs, options.signal)
    }
  }
  return minutes
}

/** Returns false if the workspace is deleted: it gets no new rows. */
async function writeDown(db: Database, window: Rebuild): Promise<boolean> {
  return await db.tx(async (tx) => {
    if ((await tx.row('rollups/hold-workspace', [window.workspaceId])) === null) return false
    await askForRebuilds(tx, [window], 0)
    return true
  })
}

const pageSize = 1_000

/** Rebuilds the workspaces one after the other, in the order of their ids. Returns how many minutes were recomputed. */
export async function rebuildAll(
  db: Database,
  options: RebuildOptions,
  onRebuilt: (workspaceId: string, minutes: number) => void,
): Promise<number> {
  let minutes = 0
  let after = nilUuid
  for (;;) {
    const page = await db.rows<{ id: string }>('rollups/list-workspaces', [after, pageSize])
    for (const { id } of page) {
      if (options.signal.aborted) return minutes
      const rebuilt = await rebuildWorkspace(db, id, options)
      onRebuilt(id, rebuilt)
      minutes += rebuilt
      after = id
    }
    if (page.length < pageSize) return minutes
  }
}
