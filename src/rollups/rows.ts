// Rows of rollups: reads them into buckets, and writes buckets as rows.
import { type Bucket, isBlank, makeBucket } from '../sketches/bucket.ts'
import { NewerFormat } from '../sketches/byte-reader.ts'
import { encodeRow, mergeRow, newestVersions, type RowBytes } from '../sketches/row-codec.ts'
import type { Runner } from '../store/database.ts'
import { type CorruptRollup, setAside } from './corrupt-rollup.ts'
import { pack } from './pack.ts'
import { lengthMs, type Tier, tierNames, tiers } from './tiers.ts'
import { askForRebuilds, askForSums } from './work.ts'

export type RowKey = { readonly workspaceId: string; readonly tier: Tier; readonly startMs: number }

export type StoredRow = RowBytes & {
  readonly workspace_id: string
  readonly tier: Tier
  readonly start_s: number
}

export const rowKeyOf = (row: StoredRow): RowKey => ({
  workspaceId: row.workspace_id,
  tier: row.tier,
  startMs: row.start_s * 1_000,
})

const listsOf = (keys: readonly RowKey[]): unknown[] => [
  keys.map(({ workspaceId }) => workspaceId),
  keys.map(({ tier }) => tier),
  keys.map(({ startMs }) => startMs / 1_000),
]

/** Returns those of the rows that exist. */
export const readRows = async (tx: Runner, keys: readonly RowKey[]): Promise<StoredRow[]> =>
  keys.length === 0 ? [] : await tx.rows<StoredRow>('rollups/read-rows', listsOf(keys))

/**
 * Decodes a row into a new bucket. If its bytes are damaged, returns null: they are set aside, the row is removed, and its time range will
 * be recomputed. Throws NewerFormat and changes nothing if a newer release wrote the bytes.
 */
export async function openRow(
  tx: Runner,
  row: StoredRow,
  onDamage: (corrupt: CorruptRollup) => void,
): Promise<Bucket | null> {
  const bucket = makeBucket()
  try {
    mergeRow(bucket, row)
    return bucket
  } catch (error) {
    if (error instanceof NewerFormat) throw error
    // Unreadable bytes are replaced by a recount of the events.
    onDamage(await replaceDamaged(tx, row))
    return null
  }
}

async function replaceDamaged(tx: Runner, row: StoredRow): Promise<CorruptRollup> {
  const { workspaceId, tier, startMs } = rowKeyOf(row)
  const toMs = startMs + lengthMs[tier]
  const corrupt = { workspaceId, source: tierNames[tier], fromMs: startMs, toMs }
  await setAside(tx, corrupt, Buffer.concat(columns.flatMap((name) => row[name] ?? [])))
  await tx.run('rollups/delete-rows', listsOf([rowKeyOf(row)]))
  if (tier === tiers.minute) await askForRebuilds(tx, [{ workspaceId, fromMs: startMs, toMs }], 0)
  else await askForSums(tx, [{ workspaceId, kind: tier, startMs }])
  return corrupt
}

export type RowRange = { readonly tier: Tier; readonly fromMs: number; readonly toMs: number }

/** Call it before writing or removing rows that were not read. Throws NewerFormat if a newer release wrote one of them. */
export async function expectNoNewer(tx: Runner, workspaceId: string, ranges: readonly RowRange[]): Promise<void> {
  const newer = await tx.row<{ start_time: Date }>('rollups/find-newer', [
    workspaceId,
    ranges.map(({ tier }) => tier),
    ranges.map(({ fromMs }) => fromMs / 1_000),
    ranges.map(({ toMs }) => toMs / 1_000),
    ...columns.map((name) => newestVersions[name]),
  ])
  if (newer !== null) throw new NewerFormat(`the rollup of ${newer.start_time.toISOString()}`)
}

/** In the order in which they are written. */
const columns = ['total', 'cells', 'sets'] as const

const maxBytesAtOnce = 8_388_608

export type RowWriter = {
  /** Encodes the bucket at once; the caller may then reuse it. */
  add(key: RowKey, bucket: Bucket): Promise<void>
  finish(): Promise<void>
}

/** Writes rows, about 8 MB at a time. The row of a bucket without events is removed. */
export function openRowWriter(tx: Runner): RowWriter {
  let rows: { readonly key: RowKey; readonly row: RowBytes }[] = []
  let blank: RowKey[] = []
  let bytes = 0

  async function flush(): Promise<void> {
    const [written, removed] = [rows, blank]
    rows = []
    blank = []
    bytes = 0
    if (removed.length > 0) await tx.run('rollups/delete-rows', listsOf(removed))
    if (written.length === 0) return
    const { bytes: all, starts, lengths } = pack(written.flatMap(({ row }) => columns.map((name) => row[name])))
    await tx.run('rollups/write-rows', [
      ...listsOf(written.map(({ key }) => key)),
      starts.filter((_, at) => at % columns.length === 0),
      ...columns.map((_name, column) => lengths.filter((_, at) => at % columns.length === column)),
      all,
    ])
  }

  return {
    async add(key, bucket) {
      if (isBlank(bucket)) {
        blank.push(key)
        return
      }
      const row = encodeRow(bucket)
      rows.push({ key, row })
      for (const name of columns) bytes += row[name]?.length ?? 0
      if (bytes > maxBytesAtOnce) await flush()
    },
    finish: flush,
  }
}
