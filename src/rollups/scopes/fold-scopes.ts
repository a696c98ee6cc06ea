// Moves the recorded changes to the counts of instrumentation scopes into the rows of their minutes, hours and days.
import { maxScopes } from '../../sketches/scope-sums.ts'
import type { Database, Tx } from '../../store/database.ts'

/** Maximum for one workspace in one transaction. */
export const maxDeltas = 2_000

/** One transaction. Skips workspaces that another process is working on. Returns how many deltas it moved. */
export async function foldScopes(db: Database, workspaceIds: readonly string[]): Promise<number> {
  return await db.tx(async (tx) => {
    const held = await tx.rows<{ id: string }>('rollups/hold-workspaces', [workspaceIds])
    return held.length === 0
      ? 0
      : await moveScopes(
          tx,
          held.map(({ id }) => id),
        )
  })
}

/** Like `foldScopes`, for workspaces that are held. If it moves `maxDeltas` of a workspace, more of them may be left. */
export async function moveScopes(tx: Tx, held: readonly string[]): Promise<number> {
  const row = await tx.row<{ deltas: number }>('rollups/fold-scopes', [held, maxDeltas, maxScopes])
  return row?.deltas ?? 0
}
