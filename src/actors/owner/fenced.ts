// Floor 3. The fence of a write: it commits under the epoch that its owner was given, or not at all.
import type { Tx } from '../../store/database.ts'

/** One ownership of one partition. */
export type Fence = { readonly pid: number; readonly epoch: number; readonly boot: string }

/** The partition belongs to someone else by now: nothing was written, and what was kept in memory for it is to be dropped. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/**
 * The first statement of a transaction that writes as the owner; what follows has to commit within 50 ms, since whoever claims the
 * partition waits. Throws Fenced, or Outage where a claimer was waited for in vain, for 2 s. One indexed row.
 */
export async function fenced(tx: Tx, { pid, epoch, boot }: Fence): Promise<void> {
  const held = await tx.row('actors/hold-epoch', [pid, epoch, boot])
  if (held === null) throw new Fenced(`partition ${pid} is not owned at epoch ${epoch} any more`)
}
