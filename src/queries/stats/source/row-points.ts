// The points of one bucket for all series: of a single rollup row, or of all that was summed.
import type { Digest } from '../../../rollups/row-memory.ts'
import { openReader } from '../../../sketches/byte-reader.ts'
import type { CellKey } from '../../../sketches/cell.ts'
import { type CellParts, readCells } from '../../../sketches/cells-codec.ts'
import { counterAt } from '../../../sketches/counters.ts'
import { maxListed } from '../../../sketches/distinct.ts'
import { fillHead, makeHead, readEvents } from '../../../sketches/total-codec.ts'
import { type Aggregate, clearAggregate, makeAggregate, tracesOf } from '../aggregate.ts'
import { appendPoint, type PointNumbers, pointLength } from '../point-numbers.ts'
import { nameOfScope, type StatsScope } from '../stats-scope.ts'

/** The number of events, even those out of scope, then for each series its place and the numbers of its point. */
export type RowPoints = readonly number[]

// The sketch of a set that is too large to be listed estimates more than this.
const leastEstimate = 0.95 * maxListed
// The overhead of an array of numbers, which are stored as doubles.
const arrayBytes = 64
/** Approximate memory. */
export const bytesOfPoints = (points: RowPoints): number => arrayBytes + points.length * 8

export const eventsOf = (points: RowPoints): number => points[0] ?? 0

/** Calls `take` with the place of each series and the offset of its numbers. */
export function eachPoint(
  points: RowPoints,
  take: (series: number, numbers: PointNumbers, from: number) => void,
): void {
  for (let at = 1; at < points.length; at += 1 + pointLength) take(points[at] ?? 0, points, at + 1)
}

/** Makes the point of all events, from the head of a total. */
export function digestWhole(): Digest<RowPoints> {
  const head = makeHead()
  return {
    name: 'points',
    make(total, _cells, isExact) {
      fillHead(head, total)
      const points = [head.counters[counterAt.events] ?? 0, 0]
      appendPoint(points, head, { count: head.traces, isEstimate: !isExact && head.traces > leastEstimate })
      return points
    },
    bytesOf: bytesOfPoints,
  }
}

/** `keys` gives the meaning of the places. */
export type Placing = {
  readonly scope: StatsScope
  readonly keys: readonly string[]
  /** Null: out of scope. */
  placeOf(cell: CellKey): number | null
}

/** Makes the points of all series, from the cells of a row. */
export function digestCells({ scope, keys, placeOf }: Placing, parts: CellParts): Digest<RowPoints> {
  const free: Aggregate[] = []
  return {
    name: `points ${nameOfScope(scope, keys)}`,
    make(total, cells) {
      if (cells === null) throw new Error('the rollup lacks the requested cells')
      const aggregates = new Map<number, Aggregate>()
      const choose = (cell: CellKey): Aggregate | null => {
        const place = placeOf(cell)
        if (place === null) return null
        const known = aggregates.get(place)
        if (known !== undefined) return known
        const aggregate = free.pop() ?? makeAggregate('cells')
        aggregates.set(place, aggregate)
        return aggregate
      }
      readCells(openReader(cells), parts, choose, () => null)
      const points = [readEvents(total)]
      for (const [place, aggregate] of aggregates) {
        points.push(place)
        appendPoint(points, aggregate, tracesOf(aggregate))
        free.push(clearAggregate(aggregate))
      }
      // A copy without the spare capacity that the array has grown by.
      return points.slice()
    },
    bytesOf: bytesOfPoints,
  }
}
