// Floor 3. Rows of rollups, to and from buckets.
import { type Bucket, isBlank, makeBucket } from '../measure/bucket.ts'
import { encodeCells, mergeCells } from '../measure/cells-codec.ts'
import { encodeTotal, mergeTotal } from '../measure/total-codec.ts'
import type { Runner } from '../store/database.ts'
import { type Damage, setAside } from './damage.ts'
import { pack } from './pack.ts'
import { lengthMs, type Tier, tierNames, tiers } from './tiers.ts'
import { askForRebuilds, askForSums } from './work.ts'

export type RowKey = { readonly workspaceId: string; readonly tier: Tier; readonly startMs: number }

export type StoredRow = {
  readonly workspace_id: string
  readonly tier: Tier
  readonly start_s: number
  readonly total: Buffer
  readonly cells: Buffer
}

export const keyOf = (row: StoredRow): RowKey => ({
  workspaceId: row.workspace_id,
  tier: row.tier,
  startMs: row.start_s * 1_000,
})

const listsOf = (keys: readonly RowKey[]): unknown[] => [
  keys.map(({ workspaceId }) => workspaceId),
  keys.map(({ tier }) => tier),
  keys.map(({ startMs }) => startMs / 1_000),
]

/** Those of the rows that are there. */
export const readRows = async (tx: Runner, keys: readonly RowKey[]): Promise<StoredRow[]> =>
  keys.length === 0 ? [] : await tx.rows<StoredRow>('rollups/read-rows', listsOf(keys))

/**
 * Adds a row to a bucket that is given, or to a new one, and gives that. Null where its bytes are damaged: they are set aside, the
 * row is gone, and its time will be counted anew.
 */
export async function openRow(tx: Runner, row: StoredRow, onDamage: (damage: Damage) => void): Promise<Bucket | null> {
  const bucket = makeBucket()
  try {
    mergeTotal(bucket.total, row.total)
    mergeCells(bucket.cells, row.cells)
    return bucket
  } catch {
    // Whatever could not be read of it: the events know better.
    onDamage(await replaceDamaged(tx, row))
    return null
  }
}

async function replaceDamaged(tx: Runner, row: StoredRow): Promise<Damage> {
  const { workspaceId, tier, startMs } = keyOf(row)
  const toMs = startMs + lengthMs[tier]
  const damage = { workspaceId, source: tierNames[tier], fromMs: startMs, toMs }
  await setAside(tx, damage, Buffer.concat([row.total, row.cells]))
  await tx.run('rollups/delete-rows', listsOf([keyOf(row)]))
  if (tier === tiers.minute) await askForRebuilds(tx, [{ workspaceId, fromMs: startMs, toMs }], 0)
  else await askForSums(tx, [{ workspaceId, kind: tier, startMs }])
  return damage
}

const maxBytesAtOnce = 8_388_608

export type RowWriter = {
  /** Keeps the bytes of the bucket, and nothing else of it. */
  add(key: RowKey, bucket: Bucket): Promise<void>
  finish(): Promise<void>
}

/** Writes rows, about 8 MB at once. The row of a bucket without events is removed. */
export function openRowWriter(tx: Runner): RowWriter {
  let rows: { readonly key: RowKey; readonly total: Buffer; readonly cells: Buffer }[] = []
  let blank: RowKey[] = []
  let bytes = 0

  async function flush(): Promise<void> {
    const [written, removed] = [rows, blank]
    rows = []
    blank = []
    bytes = 0
    if (removed.length > 0) await tx.run('rollups/delete-rows', listsOf(removed))
    if (written.length === 0) return
    const packed = pack(written.flatMap(({ total, cells }) => [total, cells]))
    await tx.run('rollups/write-rows', [
      ...listsOf(written.map(({ key }) => key)),
      packed.starts.filter((_, at) => at % 2 === 0),
      packed.lengths.filter((_, at) => at % 2 === 0),
      packed.lengths.filter((_, at) => at % 2 === 1),
      packed.bytes,
    ])
  }

  return {
    async add(key, bucket) {
      if (isBlank(bucket)) {
        blank.push(key)
        return
      }
      const total = encodeTotal(bucket)
      const cells = encodeCells(bucket)
      rows.push({ key, total, cells })
      bytes += total.length + cells.length
      if (bytes > maxBytesAtOnce) await flush()
    },
    finish: flush,
  }
}
