// Who owns which partition, as far as this process has read or heard. Pure.
import { partitionCount } from './partition.ts'

/** `owner` and `boot` null: free. Epoch 0: nothing is known. */
export type Holding = { readonly epoch: number; readonly owner: string | null; readonly boot: string | null }

export type PartitionRow = Holding & { readonly pid: number }

/** `conflict`: another start claims the very epoch that is known of someone else; only the database can tell. */
export type Heard = 'changed' | 'known' | 'conflict'

export type PartitionTable = {
  get(partition: number): Holding
  /** The highest epoch ever known of it: a new one must be above, even where the database went back. */
  highest(partition: number): number
  hearOwned(partition: number, epoch: number, owner: string, boot: string): Heard
  hearFree(partition: number, epoch: number, boot: string): Heard
  /** To be taken before the database is asked, and given with its answer. */
  mark(): number
  /** What the database says is true, even of an older epoch, but for what has changed since the mark. Gives the partitions that changed. */
  take(rows: readonly PartitionRow[], mark: number): number[]
  /** True where the entry is the same as at the mark. */
  isSince(partition: number, mark: number): boolean
}

const nothing: Holding = { epoch: 0, owner: null, boot: null }

/** What is heard only ever raises an epoch; a free one is not owned again at the same epoch, whatever comes late. */
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
    isSince,
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
