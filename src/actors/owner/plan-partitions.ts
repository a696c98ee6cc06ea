// Which partitions a member should claim or hand over, given its view of the cluster. Pure.

import { partitionCount } from '../partition.ts'
import type { PartitionTable } from '../partition-table.ts'
import type { WantedPartition } from './epoch-store.ts'
import type { ClusterMembers } from './members.ts'
import type { Placement } from './placement.ts'

export type ClusterFacts = {
  readonly member: string
  readonly boot: string
  readonly table: Pick<PartitionTable, 'get' | 'highest'>
  readonly members: Pick<ClusterMembers, 'canOwn'>
  readonly placement: Placement
  readonly owned: ReadonlyMap<number, number>
}

/** How long each member leaves a partition to the member ranked before it. Members detect a death at very different times. */
const perRankMs = 1_500
/** Shorter for free partitions, since all members learn of a release at the same time. */
const perRankOfFreeMs = 100

/**
 * True if the partition has no owner, or its owner cannot own it. A partition that the table assigns to this process but that is not served
 * stems from a claim whose answer was lost; the epoch of that claim is never used.
 */
function isOrphan({ table, members, boot, owned }: ClusterFacts, pid: number, nowMs: number): boolean {
  const { boot: owner } = table.get(pid)
  return !owned.has(pid) && (owner === null || owner === boot || !members.canOwn(owner, nowMs))
}

/** Number of partitions without a live owner, as far as is known now. */
export function countOrphans(known: ClusterFacts, nowMs: number): number {
  let count = 0
  for (let pid = 0; pid < partitionCount; pid += 1) if (isOrphan(known, pid, nowMs)) count += 1
  return count
}

/** Finds orphaned partitions and remembers since when they are orphaned. */
export function makeClaimPlanner() {
  const orphanedAtMs = new Map<number, number>()

  return {
    /**
     * Returns the partitions that this member should claim now; none if it is not among the members that may own. `freeOnly`: leaves out
     * the partitions of owners that may still be live.
     */
    plan(known: ClusterFacts, nowMs: number, freeOnly: boolean): WantedPartition[] {
      const wanted: WantedPartition[] = []
      for (let pid = 0; pid < partitionCount; pid += 1) {
        const { boot } = known.table.get(pid)
        const isFree = boot === null || boot === known.boot
        if (!isOrphan(known, pid, nowMs) || (freeOnly && !isFree)) {
          orphanedAtMs.delete(pid)
          continue
        }
        const sinceMs = orphanedAtMs.get(pid) ?? nowMs
        orphanedAtMs.set(pid, sinceMs)
        const rank = known.placement.rank(pid).indexOf(known.member)
        if (rank < 0 || nowMs - sinceMs < rank * (isFree ? perRankOfFreeMs : perRankMs)) continue
        wanted.push({ pid, epoch: known.table.get(pid).epoch, highest: known.table.highest(pid) })
      }
      return wanted
    },
  }
}

/** Returns owned partitions that another member should have, at most `atMost`. */
export function planMoves({ owned, placement, member }: ClusterFacts, atMost: number): number[] {
  const moves: number[] = []
  for (const pid of owned.keys()) {
    if (moves.length >= atMost) break
    const [first] = placement.rank(pid)
    if (first !== undefined && first !== member) moves.push(pid)
  }
  return moves
}
