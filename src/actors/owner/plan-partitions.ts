// Floor 3. What a member should claim and what it should hand over, given what it knows. Pure.

import { partitionCount } from '../partition.ts'
import type { PartitionTable } from '../partition-table.ts'
import type { Wanted } from './epoch-store.ts'
import type { Members } from './members.ts'
import type { Placement } from './placement.ts'

export type Known = {
  readonly member: string
  readonly boot: string
  readonly table: Pick<PartitionTable, 'get' | 'highest'>
  readonly members: Pick<Members, 'canOwn'>
  readonly placement: Placement
  readonly owned: ReadonlyMap<number, number>
}

/** How long each next in rank leaves an ownerless partition to the one before it. */
const perRankMs = 1_500

/** Finds ownerless partitions and remembers since when they are. */
export function makeClaimPlanner() {
  const orphanedAtMs = new Map<number, number>()

  function isOrphan({ table, members, boot }: Known, pid: number, nowMs: number): boolean {
    const { boot: owner } = table.get(pid)
    // Our own and not served: a claim whose answer was lost. Its epoch is never used.
    return owner === null || owner === boot || !members.canOwn(owner, nowMs)
  }

  return {
    /** What this member should claim now: nothing where it is not among those who may own. */
    plan(known: Known, nowMs: number): Wanted[] {
      const wanted: Wanted[] = []
      for (let pid = 0; pid < partitionCount; pid += 1) {
        if (known.owned.has(pid) || !isOrphan(known, pid, nowMs)) {
          orphanedAtMs.delete(pid)
          continue
        }
        const sinceMs = orphanedAtMs.get(pid) ?? nowMs
        orphanedAtMs.set(pid, sinceMs)
        const rank = known.placement.rank(pid).indexOf(known.member)
        if (rank < 0 || nowMs - sinceMs < rank * perRankMs) continue
        wanted.push({ pid, epoch: known.table.get(pid).epoch, highest: known.table.highest(pid) })
      }
      return wanted
    },
    /** As seen by the last plan. */
    orphans: (): number => orphanedAtMs.size,
  }
}

/** Owned partitions that another member should have, at most so many. */
export function planMoves({ owned, placement, member }: Known, atMost: number): number[] {
  const moves: number[] = []
  for (const pid of owned.keys()) {
    if (moves.length >= atMost) break
    const [first] = placement.rank(pid)
    if (first !== undefined && first !== member) moves.push(pid)
  }
  return moves
}
