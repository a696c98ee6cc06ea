// Folding: one transaction that moves the deltas of some workspaces into their rows.
import type { Database } from '../store/database.ts'
import { applyDeltas } from './apply-deltas.ts'
import type { CorruptRollup } from './corrupt-rollup.ts'
import { takeDeltas } from './take-deltas.ts'
import { askForRebuilds } from './work.ts'

export type FoldLimits = {
  /** Maximum deltas of one workspace in one transaction. */
  readonly maxDeltas: number
  readonly maxMinutes: number
  /** How long a stale minute waits for further changes before it is recomputed. */
  readonly staleAfterMs: number
  readonly onDamage: (corrupt: CorruptRollup) => void
}

export type Folded = {
  /** Workspaces that no other process was working on. */
  readonly workspaces: number
  readonly deltas: number
  readonly minutes: number
  /** Workspaces with deltas left. */
  readonly more: ReadonlySet<string>
}

/**
 * Moves deltas into rows, all in one snapshot: exactly the deltas that are added are removed, and a row that was changed since it was read
 * fails the transaction (40001), which then changes nothing. Seven statements for any number of workspaces.
 */
export async function foldDeltas(db: Database, workspaceIds: readonly string[], limits: FoldLimits): Promise<Folded> {
  return await db.tx(
    async (tx) => {
      const held = (await tx.rows<{ id: string }>('rollups/hold-workspaces', [workspaceIds])).map(({ id }) => id)
      if (held.length === 0) return { workspaces: 0, deltas: 0, minutes: 0, more: new Set<string>() }
      const { byWorkspace, deltas, more, stale } = await takeDeltas(tx, held, limits)
      await askForRebuilds(tx, stale, limits.staleAfterMs)
      const minutes = await applyDeltas(tx, byWorkspace, limits.onDamage)
      return { workspaces: held.length, deltas, minutes, more }
    },
    { snapshot: true },
  )
}
