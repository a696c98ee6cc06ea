// The fence of a write: the write commits under the epoch of its owner, or not at all.
import type { Tx } from '../../store/database.ts'

/** One ownership of one partition. */
export type Fence = { readonly pid: number; readonly epoch: number; readonly boot: string }

/** The write was rejected; nothing was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  /**
   * The ownership that the database rejected: another process owns the partition by now, and data kept in memory for it must be dropped.
   * Null: this process may not act at the moment and did not ask the database, so the owner is unknown.
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
 * Must be the first statement of a transaction that writes as the owner. It waits for a process that is claiming the partition; such a
 * process skips a partition that a write holds, and tries again later. The rest of the transaction should be short for that reason; if it is
 * idle for 2 s, PostgreSQL ends the session. Throws Fenced, or Outage if a claimer held the row for more than 2 s. One indexed row.
 */
export async function fenced(tx: Tx, fence: Fence): Promise<void> {
  const held = await tx.row('actors/hold-epoch', [fence.pid, fence.epoch, fence.boot])
  if (held === null) throw new Fenced(fence)
}
