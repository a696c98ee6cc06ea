// What a member should claim and what it should hand over, given what it knows. Pure.

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

/** How long each next in rank leaves a partition to the one before it: who died is found out by some much later than by others. */
const perRankMs = 1_500
/** What was given up all are told of at the same time. */
const perRankOfFreeMs = 100

/** Its owner cannot own it, or it has none; our own and not served is a claim whose answer was lost, and whose epoch is never used. */
function isOrphan({ table, members, boot, owned }: Known, pid: number, nowMs: number): boolean {
  const { boot: owner } = table.get(pid)
  return !owned.has(pid) && (owner === null || owner === boot || !members.canOwn(owner, nowMs))
}

/** Partitions without an owner that lives, as far as is known now. */
export function countOrphans(known: Known, nowMs: number): number {
  let count = 0
  for (let pid = 0; pid < partitionCount; pid += 1) if (isOrphan(known, pid, nowMs)) count += 1
  return count
}

/** Finds ownerless partitions and remembers since when they are. */
export function makeClaimPlanner() {
  const orphanedAtMs = new Map<number, number>()

  return {
    /** What this member should claim now: nothing where it is not among those who may own. `freeOnly`: from nobody who may live. */
    plan(known: Known, nowMs: number, freeOnly: boolean): Wanted[] {
      const wanted: Wanted[] = []
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
