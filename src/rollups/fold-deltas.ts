// Folding: one transaction that moves the deltas of some workspaces into their rows.
import type { Database } from '../store/database.ts'
import { applyDeltas } from './apply-deltas.ts'
import type { Damage } from './damage.ts'
import { takeDeltas } from './take-deltas.ts'
import { askForRebuilds } from './work.ts'

export type FoldLimits = {
  /** Deltas of one workspace in one transaction. */
  readonly maxDeltas: number
  readonly maxMinutes: number
  /** How long a stale minute waits for others to make it so too, before it is counted anew. */
  readonly staleAfterMs: number
  readonly onDamage: (damage: Damage) => void
}

export type Folded = {
  /** Those that nobody else had in hand. */
  readonly workspaces: number
  readonly deltas: number
  readonly minutes: number
  /** Workspaces with deltas left. */
  readonly more: ReadonlySet<string>
}

/**
 * Moves deltas into rows, all in one snapshot: what is added is exactly what is removed, and a row is what it was when it was read,
 * or the transaction fails (40001) and changes nothing. Seven statements, whatever the number of workspaces.
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
