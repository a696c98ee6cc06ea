// Totals of rows, ready to be added to others, and what a run of them adds up to.
import { makeTotal, mergeTotals, type Total } from '../../measure/bucket.ts'
import { bytesOfTotal } from '../../measure/total-bytes.ts'
import { mergeTotal } from '../../measure/total-codec.ts'
import type { Digest, RowMemory } from '../../rollups/row-memory.ts'
import { lengthMs, type Tier } from '../../rollups/tiers.ts'

/** The identity stands for it where it may be let go: nobody changes a total that a row was made into. */
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

/** Totals of one tier, mostly side by side, that go into the same sum. */
export type Run<Into> = { readonly into: Into; readonly rows: PlacedTotal[] }

// What lies further apart comes from both ends of a window, which do not change together.
const mostApart = 32
// Fewer are added up at once.
const leastHeld = 4

/** Rows in the order in which they came. */
export function listRuns<Into>(rows: readonly PlacedTotal[], intoOf: (startMs: number) => Into): Run<Into>[] {
  const runs: Run<Into>[] = []
  for (const row of rows) {
    const into = intoOf(row.startMs)
    const run = runs.at(-1)
    const last = run?.rows.at(-1)
    const isNext =
      last !== undefined &&
      run?.into === into &&
      last.tier === row.tier &&
      row.startMs > last.startMs &&
      row.startMs - last.startMs <= mostApart * lengthMs[row.tier]
    if (isNext) run.rows.push(row)
    else runs.push({ into, rows: [row] })
  }
  return runs
}

/** Gives what a run adds up to, as few totals: mostly one that was added up before. None of them may be changed. */
export function addUpRun(memory: RowMemory, workspaceId: string, { rows }: Run<unknown>): readonly Total[] {
  const [first] = rows
  if (first === undefined || rows.length < leastHeld) return rows.map(({ total }) => total)
  return [
    memory.sum(workspaceId, {
      name: `sum ${first.tier} ${first.startMs} ${rows.length}`,
      parts: rows.map(({ identity }) => identity),
      make() {
        const sum = makeTotal()
        for (const { total } of rows) mergeTotals(sum, total)
        return sum
      },
      bytesOf: bytesOfTotal,
    }),
  ]
}
