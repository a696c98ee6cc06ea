// Applies the monthly event quota, exactly even if many transactions store at once.
import type { Tx } from '../../store/database.ts'
import { type BatchSlice, eachKept, rowStatus, type Work } from './batch-slice.ts'

/** How many new events each workspace has room for. Workspaces without a quota have no entry. */
export type Room = ReadonlyMap<string, number>

/**
 * Finds workspaces whose quota is used up, without asking for the lock. A grant of 0 does not prove it: the actor also counts grants that
 * were never stored. Costs nothing if each workspace has a grant.
 */
export async function findUsedUp(tx: Tx, slices: readonly BatchSlice[]): Promise<ReadonlySet<string>> {
  const usedUp = new Set<string>()
  for (const [id, ofWorkspace] of cappedOf(slices)) {
    if (ofWorkspace.some(({ batch }) => batch.granted !== 0)) continue
    const seen = await tx.row<{ accepted: number }>('ingest/read-usage-month', [id])
    if ((seen?.accepted ?? 0) >= quotaOf(ofWorkspace)) usedUp.add(id)
  }
  return usedUp
}

/**
 * Locks the usage count of each workspace until the commit, so that no two transactions use the same room. The lock is taken before the
 * lookup of stored spans: what another transaction stored before it released the lock is found then, and takes no room again. It is taken
 * even if all spans were rejected or sent again: their count is written at the end, and waiting for the lock there, behind the locks of
 * agents, would be a deadlock. A quota that is used up stays so for the month, so no transaction takes the lock here, all write their
 * counts at the end, and none of them has to queue. Those that wait for the lock while the quota is reached hold it without need; a deadlock
 * with them ends as a clash, and the group is tried again. Costs nothing if no workspace of the group has a quota.
 */
export async function holdQuotas(tx: Tx, slices: readonly BatchSlice[], usedUp: ReadonlySet<string>): Promise<Room> {
  const held = cappedOf(slices).map(async ([id, ofWorkspace]): Promise<[string, number]> => {
    if (usedUp.has(id)) return [id, 0]
    const quota = quotaOf(ofWorkspace)
    const month = await tx.row<{ accepted: number }>('ingest/lock-usage-month', [id, quota])
    return [id, month === null ? 0 : Math.max(0, quota - month.accepted)]
  })
  return new Map(await Promise.all(held))
}

const quotaOf = ([slice]: readonly BatchSlice[]): number => slice?.batch.eventQuota ?? 0

/** The slices with a quota, by workspace, in the order of workspace ids. */
function cappedOf(slices: readonly BatchSlice[]): [string, BatchSlice[]][] {
  const capped = slices.filter(({ batch }) => batch.eventQuota !== null)
  return [...Map.groupBy(capped, ({ batch }) => batch.workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Marks the rows that exceed the room: the last ones, in the order of arrival. */
export function dropOverQuota(works: readonly Work[], room: Room): void {
  const left = new Map(room)
  for (const work of works) {
    const { workspaceId } = work.batch
    let remaining = left.get(workspaceId)
    if (remaining === undefined) continue
    eachKept(work, (row) => {
      if ((remaining as number) > 0) remaining = (remaining as number) - 1
      else work.rowStatuses[row] = rowStatus.overQuota
    })
    left.set(workspaceId, remaining)
  }
}
