// The monthly quota of events, exact whatever many transactions store at once.
import type { Tx } from '../../store/database.ts'
import { eachKept, fates, type Piece, type Work } from './piece.ts'

/** How many new events a workspace has room for; those without a quota are not in it. */
export type Room = ReadonlyMap<string, number>

/**
 * Costs nothing where every workspace has a grant. A used-up quota stays used up for the month: who is over it does not have to queue for
 * the lock. The grant alone does not say so: the actor also counts what it has promised and nobody has stored.
 */
export async function findUsedUp(tx: Tx, pieces: readonly Piece[]): Promise<ReadonlySet<string>> {
  const usedUp = new Set<string>()
  for (const [id, ofWorkspace] of cappedOf(pieces)) {
    if (ofWorkspace.some(({ batch }) => batch.granted !== 0)) continue
    const seen = await tx.row<{ accepted: number }>('ingest/read-usage-month', [id])
    if ((seen?.accepted ?? 0) >= quotaOf(ofWorkspace)) usedUp.add(id)
  }
  return usedUp
}

/**
 * The workspace's count stays locked until the commit, so that no two transactions share the same room. Before it is known which
 * spans are stored: what a rival stored until it let go is seen then, and takes no room a second time. Also where all spans were rejected
 * or sent again: their count is written at the end, and to wait for it there, behind the locks of agents, would be a deadlock. Costs
 * nothing where no workspace of the group has a quota.
 */
export async function holdQuotas(tx: Tx, pieces: readonly Piece[], usedUp: ReadonlySet<string>): Promise<Room> {
  const held = cappedOf(pieces).map(async ([id, ofWorkspace]): Promise<[string, number]> => {
    if (usedUp.has(id)) return [id, 0]
    const month = await tx.row<{ accepted: number }>('ingest/lock-usage-month', [id])
    return [id, Math.max(0, quotaOf(ofWorkspace) - (month?.accepted ?? 0))]
  })
  return new Map(await Promise.all(held))
}

const quotaOf = ([piece]: readonly Piece[]): number => piece?.batch.eventQuota ?? 0

/** By workspace, in key order. */
function cappedOf(pieces: readonly Piece[]): [string, Piece[]][] {
  const capped = pieces.filter(({ batch }) => batch.eventQuota !== null)
  return [...Map.groupBy(capped, ({ batch }) => batch.workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1))
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
