// Ranks the groups of a window by size. The sizes of each row are small, so they are cached.

import type { Digest } from '../../rollups/row-memory.ts'
import { openReader } from '../../sketches/byte-reader.ts'
import { type CellKey, type CellSums, makeCellSums } from '../../sketches/cell.ts'
import { readCells } from '../../sketches/cells-codec.ts'
import { counterAt } from '../../sketches/counters.ts'
import { readEvents } from '../../sketches/total-codec.ts'
import type { Window } from '../window.ts'
import { counterOf } from './aggregate.ts'
import { maxGroups, nameOfScope, rankKeys, type StatsScope, seriesKeyOf, sumUpGroups } from './grouping.ts'
import type { StatsSource } from './source.ts'

/** The number of events of a row, and the size of each of its groups. */
export type RowSizes = { readonly events: number; readonly sizes: readonly (readonly [string, number])[] }

const noParts = { durations: false, traces: false, inputs: false }
const rowBytes = 200
const groupBytes = 120

function digestSizes(scope: StatsScope, measure: keyof typeof counterAt): Digest<RowSizes> {
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
      readCells(openReader(cells), noParts, choose, () => null)
      const sizes = [...sums].map(([key, { counters }]) => [key, counters[counterAt[measure]] ?? 0] as const)
      return { events: readEvents(total), sizes }
    },
    bytesOf: ({ sizes }) => sizes.reduce((bytes, [key]) => bytes + groupBytes + 2 * key.length, rowBytes),
  }
}

/** Returns the keys by descending size. Keys beyond `maxGroups` are omitted. */
export async function rankGroups(
  source: StatsSource,
  window: Window,
  scope: StatsScope,
  measure: keyof typeof counterAt,
): Promise<string[]> {
  const sizes = new Map<string, number>()
  const add = (key: string, size: number): void => {
    const known = sizes.get(key)
    if (known !== undefined || sizes.size < maxGroups) sizes.set(key, (known ?? 0) + size)
  }
  const each = {
    digest: digestSizes(scope, measure),
    take: (_startMs: number, row: RowSizes) => row.sizes.forEach(([key, size]) => add(key, size)),
  }
  // The groups contain what no row covers.
  const { byKey } = await sumUpGroups(source, window, scope, noParts, each)
  for (const [key, aggregate] of byKey) add(key, counterOf(aggregate, measure))
  return rankKeys(sizes, (size) => size)
}
