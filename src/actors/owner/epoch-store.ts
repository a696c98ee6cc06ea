// Ownership in the database, the only place where partitions are read, claimed and released.
import type { Database, Runner } from '../../store/database.ts'
import type { Owned } from '../heartbeat.ts'
import { partitionCount } from '../partition.ts'
import type { PartitionRow } from '../partition-table.ts'

/** A partition at its last known epoch, with the highest epoch that it ever had. */
export type WantedPartition = { readonly pid: number; readonly epoch: number; readonly highest: number }

/** All methods throw Outage; whether a failed claim or release took effect is unknown. */
export type EpochStore = {
  list(): Promise<PartitionRow[]>
  /**
   * One statement. Returns the partitions that were won, each with its new epoch. Partitions of another owner, or with a write in progress,
   * are left out.
   */
  claim(owner: string, boot: string, wanted: readonly WantedPartition[]): Promise<Owned[]>
  /** Releases the partitions that this process still owns. */
  release(boot: string, owned: readonly Owned[]): Promise<void>
}

/** Throws if the database was created with another number of partitions. */
export async function openEpochStore(db: Pick<Database, 'row' | 'rows' | 'run'>): Promise<EpochStore> {
  await checkPartitionCount(db)
  return {
    list: async () => await db.rows<PartitionRow>('actors/list-partitions'),
    async claim(owner, boot, wanted) {
      const rows = await db.rows<{ pid: number; epoch: number }>('actors/claim-partitions', [
        owner,
        boot,
        wanted.map(({ pid }) => pid),
        wanted.map(({ epoch }) => epoch),
        wanted.map(({ highest }) => highest),
      ])
      return rows.map(({ pid, epoch }) => [pid, epoch] as const)
    },
    async release(boot, owned) {
      await db.run('actors/release-partitions', [boot, owned.map(([pid]) => pid), owned.map(([, epoch]) => epoch)])
    },
  }
}

async function checkPartitionCount(db: Pick<Runner, 'row'>): Promise<void> {
  const found = await db.row<{ partition_count: number }>('actors/read-partition-count')
  if (found?.partition_count === partitionCount) return
  throw new Error(
    `the database was made with ${found?.partition_count ?? 'no'} partitions, but this release has ${partitionCount}: it cannot use this database`,
  )
}
