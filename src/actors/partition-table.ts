// Which process owns which partition, as far as this process has read from the database or heard. Pure.
import { partitionCount } from './partition.ts'

/** `owner` and `boot` are null: the partition is free. Epoch 0: nothing is known. */
export type Holding = { readonly epoch: number; readonly owner: string | null; readonly boot: string | null }

export type PartitionRow = Holding & { readonly pid: number }

/** `conflict`: another process start claims an epoch that is already known with another owner. Only the database can decide. */
export type Heard = 'changed' | 'known' | 'conflict'

export type PartitionTable = {
  get(partition: number): Holding
  /** The highest epoch ever known of the partition. A new epoch must be above it, even if the database was restored to an earlier state. */
  highest(partition: number): number
  hearOwned(partition: number, epoch: number, owner: string, boot: string): Heard
  hearFree(partition: number, epoch: number, boot: string): Heard
  /** Call before reading the database, and pass the result to `take` with the rows. */
  mark(): number
  /**
   * Applies rows of the database, even those with an older epoch, except for partitions that have changed since the mark. Returns the
   * partitions that changed.
   */
  take(rows: readonly PartitionRow[], mark: number): number[]
}

const nothing: Holding = { epoch: 0, owner: null, boot: null }

/** News can only raise an epoch. A partition that became free is not owned again at the same epoch, even if a late message says so. */
export function makePartitionTable(): PartitionTable {
  const entries: Holding[] = Array.from({ length: partitionCount }, () => nothing)
  const changedAt = Array.from({ length: partitionCount }, () => 0)
  const highest = Array.from({ length: partitionCount }, () => 0)
  let changes = 0

  const get = (partition: number): Holding => entries[partition] ?? nothing

  function set(partition: number, holding: Holding): void {
    changes += 1
    entries[partition] = holding
    changedAt[partition] = changes
    highest[partition] = Math.max(highest[partition] ?? 0, holding.epoch)
  }

  const isSince = (partition: number, mark: number): boolean => (changedAt[partition] ?? 0) <= mark

  return {
    get,
    highest: (partition) => highest[partition] ?? 0,
    hearOwned(partition, epoch, owner, boot) {
      const known = get(partition)
      if (epoch < known.epoch) return 'known'
      if (epoch === known.epoch) return known.boot === null || known.boot === boot ? 'known' : 'conflict'
      set(partition, { epoch, owner, boot })
      return 'changed'
    },
    hearFree(partition, epoch, boot) {
      const known = get(partition)
      if (epoch < known.epoch || (epoch === known.epoch && known.boot === null)) return 'known'
      if (epoch === known.epoch && known.boot !== boot) return 'conflict'
      set(partition, { epoch, owner: null, boot: null })
      return 'changed'
    },
    mark: () => changes,
    take(rows, mark) {
      const changed: number[] = []
      for (const { pid, epoch, owner, boot } of rows) {
        const known = get(pid)
        if (!isSince(pid, mark) || (known.epoch === epoch && known.boot === boot && known.owner === owner)) continue
        set(pid, { epoch, owner, boot })
        changed.push(pid)
      }
      return changed
    },
  }
}
