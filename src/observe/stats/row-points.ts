// The points that a single rollup row yields for all series, if no other data falls between the same two cuts.
import { hash } from 'node:crypto'
import { openReader } from '../../measure/byte-reader.ts'
import type { CellKey } from '../../measure/cell.ts'
import { type CellParts, readCells } from '../../measure/cells-codec.ts'
import { counterAt } from '../../measure/counters.ts'
import { maxListed } from '../../measure/distinct.ts'
import { fillHead, makeHead, readEvents } from '../../measure/total-codec.ts'
import type { Digest } from '../../rollups/row-memory.ts'
import { type Drawn, draw, drawnLength } from './drawn.ts'
import { nameOfScope, type Scope } from './grouping.ts'
import { clearTally, makeTally, type Tally, tracesOf } from './tally.ts'

/** The number of events of the row, even those out of scope, then for each series its place and the numbers of its point. */
export type RowPoints = readonly number[]

// The sketch of a set that is too large to be listed estimates more than this.
const leastEstimate = 0.95 * maxListed
// The overhead of an array of numbers, which are stored as doubles.
const arrayBytes = 64
const bytesOf = (points: RowPoints): number => arrayBytes + points.length * 8

export const eventsOf = (points: RowPoints): number => points[0] ?? 0

/** Calls `take` with the place of each series and the offset of its numbers. */
export function eachPoint(points: RowPoints, take: (series: number, drawn: Drawn, from: number) => void): void {
  for (let at = 1; at < points.length; at += 1 + drawnLength) take(points[at] ?? 0, points, at + 1)
}

/** Makes the point of all events, from the head of a total. */
export function digestWhole(): Digest<RowPoints> {
  const head = makeHead()
  return {
    name: 'points',
    make(total, _cells, isExact) {
      fillHead(head, total)
      const points = [head.counters[counterAt.events] ?? 0, 0]
      draw(points, head, { count: head.traces, isEstimate: !isExact && head.traces > leastEstimate })
      return points
    },
    bytesOf,
  }
}

/** `keys` gives the meaning of the places. */
export type Placing = {
  readonly scope: Scope
  readonly keys: readonly string[]
  /** Null: out of scope. */
  placeOf(cell: CellKey): number | null
}

/** Makes the points of all series, from the cells of a row. */
export function digestCells({ scope, keys, placeOf }: Placing, parts: CellParts): Digest<RowPoints> {
  const free: Tally[] = []
  return {
    name: `points ${nameOfScope(scope)} ${hash('sha256', JSON.stringify(keys), 'base64')}`,
    make(total, cells) {
      if (cells === null) throw new Error('the rollup lacks the requested cells')
      const tallies = new Map<number, Tally>()
      const choose = (cell: CellKey): Tally | null => {
        const place = placeOf(cell)
        if (place === null) return null
        const known = tallies.get(place)
        if (known !== undefined) return known
        const tally = free.pop() ?? makeTally('cells')
        tallies.set(place, tally)
        return tally
      }
      readCells(openReader(cells), parts, choose, () => null)
      const points = [readEvents(total)]
      for (const [place, tally] of tallies) {
        points.push(place)
        draw(points, tally, tracesOf(tally))
        free.push(clearTally(tally))
      }
      // A copy without the spare capacity that the array has grown by.
      return points.slice()
    },
    bytesOf,
  }
}
