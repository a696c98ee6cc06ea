// The sizes of the groups of a single rollup row. They are small, so they are cached.
import type { Digest } from '../../../rollups/row-memory.ts'
import { openReader } from '../../../sketches/byte-reader.ts'
import { type CellKey, type CellSums, makeCellSums } from '../../../sketches/cell.ts'
import { readCells } from '../../../sketches/cells-codec.ts'
import { counterAt } from '../../../sketches/counters.ts'
import { readEvents } from '../../../sketches/total-codec.ts'
import { nameOfScope, type StatsScope, seriesKeyOf } from '../stats-scope.ts'

/** The number of events of a row, and the size of each of its groups. */
export type RowSizes = { readonly events: number; readonly sizes: readonly (readonly [string, number])[] }

/** The parts of a cell that sizes need besides its counters. */
export const noSketches = { durations: false, traces: false, inputs: false }
const rowBytes = 200
const groupBytes = 120

/** Makes the sizes of the groups of a row. The row must be read with its cells. */
export function digestSizes(scope: StatsScope, measure: keyof typeof counterAt): Digest<RowSizes> {
  return {
    name: `sizes ${measure} ${nameOfScope(scope)}`,
    make(total, cells) {
      if (cells === null) throw new Error('the rollup lacks the requested cells')
      const sums = new Map<string, CellSums>()
      const choose = (cell: CellKey): CellSums | null => {
        const key = seriesKeyOf(scope, cell)
        if (key === null) return null
        const known = sums.get(key) ?? makeCellSums()
        sums.set(key, known)
        return known
      }
      readCells(openReader(cells), noSketches, choose, () => null)
      const sizes = [...sums].map(([key, { counters }]) => [key, counters[counterAt[measure]] ?? 0] as const)
      return { events: readEvents(total), sizes }
    },
    bytesOf: ({ sizes }) => sizes.reduce((bytes, [key]) => bytes + groupBytes + 2 * key.length, rowBytes),
  }
}
