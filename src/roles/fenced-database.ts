// The database as the owner of a workspace writes to it: what it began under one epoch commits under that epoch or not at all.
import { type Fence, Fenced, fenced } from '../actors/owner/fenced.ts'
import type { Database } from '../store/database.ts'

/**
 * Its transactions throw Fenced, and write nothing, where the workspace's partition has another owner when they end. The fence is their
 * last statement, so that whoever claims the partition never waits for their work.
 */
export function fenceDatabase(
  db: Database,
  fenceOf: (workspaceId: string) => Fence | null,
  workspaceId: string,
): Database {
  return {
    ...db,
    tx: async (work, options) => {
      const fence = fenceOf(workspaceId)
      if (fence === null) throw new Fenced(null)
      return await db.tx(async (tx) => {
        const result = await work(tx)
        await fenced(tx, fence)
        return result
      }, options)
    },
  }
}
