// The totals of rows in a form that can be merged, and cached sums of runs of them.

import type { Digest, RowMemory } from '../../../rollups/row-memory.ts'
import { lengthMs, type Tier, tiers } from '../../../rollups/tiers.ts'
import { makeTotal, mergeTotals, type Total } from '../../../sketches/bucket.ts'
import { bytesOfTotal } from '../../../sketches/total-bytes.ts'
import { mergeTotal } from '../../../sketches/total-codec.ts'

/** `identity` stands for the total where the total itself may be dropped from memory. The total of a row is never changed. */
export type RowTotal = { readonly identity: object; readonly total: Total }

export const totalDigest: Digest<RowTotal> = {
  name: 'total',
  make(bytes) {
    const total = makeTotal()
    mergeTotal(total, bytes)
    return { identity: {}, total }
  },
  bytesOf: ({ total }) => bytesOfTotal(total),
}

export type PlacedTotal = RowTotal & { readonly startMs: number; readonly tier: Tier }

/** Totals of one tier, mostly adjacent in time, that are added to the same sum. */
export type TotalRun<Into> = { readonly into: Into; readonly rows: PlacedTotal[] }

// Rows further apart than this are from the two ends of a window, which do not change together.
const maxGapRows = 32
// Fewer days are summed directly. So are hours: those of the buckets of a chart would fill the cache.
const minCachedRows = 4

/** Splits rows, in their given order, into runs. */
export function listRuns<Into>(rows: readonly PlacedTotal[], intoOf: (startMs: number) => Into): TotalRun<Into>[] {
  const runs: TotalRun<Into>[] = []
  for (const row of rows) {
    const into = intoOf(row.startMs)
    const run = runs.at(-1)
    const last = run?.rows.at(-1)
    const isNext =
      last !== undefined &&
      run?.into === into &&
      last.tier === row.tier &&
      row.startMs > last.startMs &&
      row.startMs - last.startMs <= maxGapRows * lengthMs[row.tier]
    if (isNext) run.rows.push(row)
    else runs.push({ into, rows: [row] })
  }
  return runs
}

/** Returns the sum of a run as few totals: mostly one, often a cached one. They must not be changed. */
export function addUpRun(memory: RowMemory, workspaceId: string, { rows }: TotalRun<unknown>): readonly Total[] {
  const [first] = rows
  if (first?.tier !== tiers.day || rows.length < minCachedRows) return rows.map(({ total }) => total)
  const key = {
    name: `sum ${first.tier} ${first.startMs} ${rows.length}`,
    parts: rows.map(({ identity }) => identity),
  }
  const known = memory.findSum(workspaceId, key)
  if (known !== null) return [known.made as Total]
  const sum = makeTotal()
  for (const { total } of rows) mergeTotals(sum, total)
  memory.keepSum(workspaceId, key, { made: sum, bytes: bytesOfTotal(sum) })
  return [sum]
}
