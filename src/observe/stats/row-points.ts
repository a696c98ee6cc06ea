// The points that a row is by itself: those of all its series, where it is all there is between two cuts.
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

/** How many events the row has, whatever was left out; then of each series its place, and the numbers of its point. */
export type RowPoints = readonly number[]

// A sketch of more than are listed tells more than this.
const leastEstimate = 0.95 * maxListed
// That of an array of numbers, which are doubles.
const arrayBytes = 64
const bytesOf = (points: RowPoints): number => arrayBytes + points.length * 8

export const eventsOf = (points: RowPoints): number => points[0] ?? 0

/** Gives of each series its place, and where its numbers begin. */
export function eachPoint(points: RowPoints, take: (series: number, drawn: Drawn, from: number) => void): void {
  for (let at = 1; at < points.length; at += 1 + drawnLength) take(points[at] ?? 0, points, at + 1)
}

/** Of all events, from heads. */
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

/** `keys`: what the places of series mean. */
export type Placing = {
  readonly scope: Scope
  readonly keys: readonly string[]
  /** Null: out of scope. */
  placeOf(cell: CellKey): number | null
}

/** Of cells. */
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
      // Without the room that it has grown by.
      return points.slice()
    },
    bytesOf,
  }
}
