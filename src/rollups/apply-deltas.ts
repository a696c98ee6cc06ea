// Adds deltas to the rows of their minutes, and to the existing rows of their hours and days.
import { type Bucket, makeBucket, mergeBucket } from '../sketches/bucket.ts'
import type { Delta } from '../sketches/delta.ts'
import type { Tx } from '../store/database.ts'
import type { CorruptRollup } from './corrupt-rollup.ts'
import { openRow, openRowWriter, type RowKey, readRows, rowKeyOf } from './rows.ts'
import { floorTo, tiers } from './tiers.ts'
import { askForSums, type SumWork } from './work.ts'

// The rows of a busy workspace have some hundred kilobytes each.
const rowsAtOnce = 128

/**
 * Runs in a snapshot, for workspaces that are held. Leaves out minutes for which `skip` returns true. Requests the sum of each hour and day
 * that has no row. Returns the number of minutes that were written. Costs one decoding and encoding of each row that it touches.
 */
export async function applyDeltas(
  tx: Tx,
  byWorkspace: ReadonlyMap<string, Delta>,
  onDamage: (corrupt: CorruptRollup) => void,
  skip: (minuteMs: number) => boolean = () => false,
): Promise<number> {
  const wanted = new Map<string, { readonly key: RowKey; readonly parts: Bucket[] }>()
  for (const [workspaceId, delta] of byWorkspace) {
    for (const [ms, bucket] of delta) {
      if (skip(ms)) continue
      for (const tier of Object.values(tiers)) {
        const key: RowKey = { workspaceId, tier, startMs: floorTo(ms, tier) }
        const known = wanted.get(textOf(key))
        if (known === undefined) wanted.set(textOf(key), { key, parts: [bucket] })
        else known.parts.push(bucket)
      }
    }
  }
  const keys = [...wanted.values()].map(({ key }) => key)
  const writer = openRowWriter(tx)
  const found = new Set<string>()
  for (let from = 0; from < keys.length; from += rowsAtOnce) {
    for (const row of await readRows(tx, keys.slice(from, from + rowsAtOnce))) {
      const bucket = await openRow(tx, row, onDamage)
      const key = rowKeyOf(row)
      if (bucket === null) continue
      found.add(textOf(key))
      for (const part of wanted.get(textOf(key))?.parts ?? []) mergeBucket(bucket, part)
      await writer.add(key, bucket)
    }
  }
  const missing = keys.filter((key) => !found.has(textOf(key)))
  for (const key of missing.filter(({ tier }) => tier === tiers.minute)) {
    const [first = makeBucket(), ...others] = wanted.get(textOf(key))?.parts ?? []
    for (const part of others) mergeBucket(first, part)
    await writer.add(key, first)
  }
  await writer.finish()
  await askForSums(tx, missing.flatMap(sumOf))
  return keys.filter(({ tier }) => tier === tiers.minute).length
}

const textOf = ({ workspaceId, tier, startMs }: RowKey): string => `${workspaceId} ${tier} ${startMs}`

const sumOf = ({ workspaceId, tier, startMs }: RowKey): SumWork[] =>
  tier === tiers.minute ? [] : [{ workspaceId, kind: tier, startMs }]
