// Floor 3. How many traces, sessions or inputs a window has, exactly: by the sets of its rollups, once their sketches have told that there
// are few enough.
import type { CellKey } from '../../measure/cell.ts'
import { type Members, makeMembers, numberOf, type SetName } from '../../measure/members.ts'
import { addNumber, countNumbers, listNumbers, type NumberSet } from '../../measure/number-set.ts'
import { eachSubset, openSet } from '../../measure/set-codec.ts'
import { readSets, type SetPart } from '../../rollups/read-sets.ts'
import { cutUp, type Span } from '../../rollups/spans.ts'
import { floorTo, lengthMs, tiers } from '../../rollups/tiers.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'

// Sketches hardly ever tell more than this of 100,000: it is six standard errors away.
const maxEstimate = 110_000

/** Whether what sketches estimate is counted. */
export const isCountable = (estimate: number): boolean => estimate <= maxEstimate

/** What one answer may read; it keeps its estimates where that does not do. Reading it takes a fraction of a second. */
export type CountBudget = { bytes: number }

export const openBudget = (): CountBudget => ({ bytes: 67_108_864 })

// Of all that is counted at once; some ten megabytes.
const maxMembers = 2_097_152

export type Asked = {
  readonly workspaceId: string
  readonly name: SetName
  /** Spans in order, none of which reaches into another: each list is read at once, one after the other. */
  readonly reads: readonly (readonly Span[])[]
  /** What members are counted apart by: a number for the start of a part, and one for a cell. */
  readonly bucketOf: (startMs: number) => number
  /** Null: left out. Null in place of it: all that cells and the rest have, by 0. */
  readonly placeOf: ((key: CellKey) => number | null) | null
}

/** How many members a bucket and place have. */
export type Counts = (bucket: number, place: number) => number

/** Null where they are not all known, or are more than the budget lets be read. Throws Outage. */
export async function countSets(db: Database, asked: Asked, budget: CountBudget): Promise<Counts | null> {
  const unions = new Map<number, Union>()
  let size = 0
  const take = (part: SetPart): void => {
    if ('set' in part) budget.bytes -= part.set.byteLength
    if (size > maxMembers) return
    const bucket = asked.bucketOf(part.startMs)
    const union = unions.get(bucket) ?? { members: makeMembers(), subsets: [] }
    unions.set(bucket, union)
    size -= union.members.size
    unite(union, part, asked)
    size += union.members.size
  }
  for (const spans of asked.reads) {
    if (budget.bytes <= 0) return null
    const isKnown = await readSets(db, asked.workspaceId, spans, asked.name, take)
    if (!isKnown || size > maxMembers) return null
  }
  return (bucket, place) => countNumbers(unions.get(bucket)?.subsets[place] ?? [])
}

/** What the parts of a bucket add up to, and the subset of each place. */
type Union = { readonly members: Members; readonly subsets: NumberSet[] }

/** The members of a part, and of each cell that something is chosen for the places of its own among them. */
type Opened = {
  readonly hashes: Float64Array
  eachSubset(
    choose: (key: CellKey) => NumberSet | null,
    take: (into: NumberSet, places: Uint32Array, count: number) => void,
  ): void
}

function open(part: SetPart, name: SetName): Opened {
  if ('set' in part) {
    const stored = openSet(part.set)
    return { hashes: stored.hashes, eachSubset: (choose, take) => eachSubset(stored, choose, take) }
  }
  const hashes = part.members.hashes.subarray(0, part.members.size)
  return {
    hashes,
    eachSubset(choose, take) {
      const places = new Uint32Array(hashes.length)
      for (const cell of part.cells.list) {
        const into = choose(cell)
        if (into !== null) take(into, places, listNumbers(cell.members[name], places))
      }
    },
  }
}

function unite({ members, subsets }: Union, part: SetPart, { name, placeOf }: Asked): void {
  const opened = open(part, name)
  const { hashes } = opened
  const subsetOf = (place: number): NumberSet => (subsets[place] ??= [])
  if (placeOf === null) {
    const all = subsetOf(0)
    for (const hash of hashes) addNumber(all, numberOf(members, hash))
    return
  }
  // Of those alone that are counted somewhere: 1 more than their number.
  const numbers = new Int32Array(hashes.length)
  opened.eachSubset(
    (key) => {
      const place = placeOf(key)
      return place === null ? null : subsetOf(place)
    },
    (subset, places, count) => {
      for (let at = 0; at < count; at++) {
        const place = places[at]!
        if (numbers[place] === 0) numbers[place] = numberOf(members, hashes[place]!) + 1
        addNumber(subset, numbers[place]! - 1)
      }
    },
  )
}

const eventsAtOnce = 4_000_000

/** The parts of a window with so many events that are read one after the other, each of some days. */
export function splitUp({ from, to }: Window, events: number): Span[][] {
  const window = { fromMs: from.getTime(), toMs: to.getTime() }
  const dayMs = lengthMs[tiers.day]
  const days = Math.max(1, Math.floor(((window.toMs - window.fromMs) / dayMs) * (eventsAtOnce / Math.max(1, events))))
  const cutsMs: number[] = []
  for (let ms = floorTo(window.fromMs, tiers.day); ms < window.toMs; ms += days * dayMs) cutsMs.push(ms)
  return cutUp(window, cutsMs).map((span) => [span])
}
