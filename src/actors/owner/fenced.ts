// The fence of a write: it commits under the epoch that its owner was given, or not at all.
import type { Tx } from '../../store/database.ts'

/** One ownership of one partition. */
export type Fence = { readonly pid: number; readonly epoch: number; readonly boot: string }

/** Nothing was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  /**
   * The ownership that the database refused: the partition belongs to someone else by now, and what was kept in memory for it is to be
   * dropped. Null: this process may not act just now and did not ask, which says nothing of whose the partition is.
   */
  readonly fence: Fence | null

  constructor(fence: Fence | null) {
    super(
      fence === null
        ? 'this process may not write now: it does not hold the ownership of the partition'
        : `epoch ${fence.epoch} of partition ${fence.pid} has ended: another process owns the partition`,
    )
    this.fence = fence
  }
}

/**
 * The first statement of a transaction that writes as the owner; what follows has to commit within 50 ms, since whoever claims the
 * partition waits. Throws Fenced, or Outage where a claimer was waited for in vain, for 2 s. One indexed row.
 */
export async function fenced(tx: Tx, fence: Fence): Promise<void> {
  const held = await tx.row('actors/hold-epoch', [fence.pid, fence.epoch, fence.boot])
  if (held === null) throw new Fenced(fence)
}
