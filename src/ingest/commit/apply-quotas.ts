// Floor 3. The monthly quota of events, exact whatever many transactions store at once.
import type { Tx } from '../../store/database.ts'
import { eachKept, fates, type Piece, type Work } from './piece.ts'

/** How many new events a workspace has room for; those without a quota are not in it. */
export type Room = ReadonlyMap<string, number>

/**
 * The workspace's count stays locked until the commit, so that no two transactions share the same room. Before it is known which
 * spans are stored: what a rival stored until it let go is seen then, and takes no room a second time. Costs nothing where no
 * workspace of the group has a quota.
 */
export async function holdQuotas(tx: Tx, pieces: readonly Piece[]): Promise<Room> {
  const room = new Map<string, number>()
  const capped = pieces.filter(({ batch, from, to }) => batch.eventQuota !== null && from < to)
  const byWorkspace = Map.groupBy(capped, ({ batch }) => batch.workspaceId)
  for (const id of [...byWorkspace.keys()].sort()) room.set(id, await readRoom(tx, id, byWorkspace.get(id) ?? []))
  return room
}

async function readRoom(tx: Tx, workspaceId: string, pieces: readonly Piece[]): Promise<number> {
  const quota = pieces[0]?.batch.eventQuota ?? 0
  if (pieces.every(({ batch }) => batch.granted === 0)) {
    // A used-up quota stays used up for the month: who is over it does not have to queue for the lock. The grant alone does not
    // say so: the actor also counts what it has promised and nobody has stored.
    const seen = await tx.row<{ accepted: number }>('ingest/read-usage-month', [workspaceId])
    if ((seen?.accepted ?? 0) >= quota) return 0
  }
  const month = await tx.row<{ accepted: number }>('ingest/lock-usage-month', [workspaceId])
  return Math.max(0, quota - (month?.accepted ?? 0))
}

/** Marks the rows that there is no room for: the last ones, in the order of their arrival. */
export function dropOverQuota(works: readonly Work[], room: Room): void {
  const left = new Map(room)
  for (const work of works) {
    const { workspaceId } = work.batch
    let remaining = left.get(workspaceId)
    if (remaining === undefined) continue
    eachKept(work, (row) => {
      if ((remaining as number) > 0) remaining = (remaining as number) - 1
      else work.fates[row] = fates.overQuota
    })
    left.set(workspaceId, remaining)
  }
}
