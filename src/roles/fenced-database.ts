// The database for writes of a workspace's owner: a transaction commits under the epoch under which it began, or not at all.
import { type Fence, Fenced, fenced } from '../actors/owner/fenced.ts'
import type { Database } from '../store/database.ts'

/**
 * Transactions throw Fenced and write nothing if the partition of the workspace has another owner when they end. The fence is their last
 * statement, so that a process that claims the partition never waits for their work.
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
