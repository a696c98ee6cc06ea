// How many traces, sessions or inputs a window has, exactly: by the sets of its rollups, once their sketches have told that there
// are few enough.
import type { CellKey } from '../../measure/cell.ts'
import { type Members, makeMembers, numberOf } from '../../measure/members.ts'
import { addNumber, countNumbers, type NumberSet } from '../../measure/number-set.ts'
import type { SetName } from '../../measure/sets.ts'
import { readSets, type SetsPart } from '../../rollups/read-sets.ts'
import { cutUp, type Span } from '../../rollups/spans.ts'
import { floorTo, lengthMs, tiers } from '../../rollups/tiers.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { openSetOf } from './set-of-part.ts'

// Sketches hardly ever tell more than this of 100,000: it is six standard errors away.
const maxEstimate = 110_000

/** Whether what sketches estimate is counted. */
export const isCountable = (estimate: number): boolean => estimate <= maxEstimate

/** What one answer may read; it keeps its estimates where that does not do. Reading it takes a fraction of a second. */
export type CountBudget = { bytes: number }

export const openBudget = (): CountBudget => ({ bytes: 67_108_864 })

// Of all that is counted at once; some ten megabytes.
const maxMembers = 2_097_152

export type Asked<Name extends SetName> = {
  readonly workspaceId: string
  readonly names: readonly Name[]
  /** Spans in order, none of which reaches into another: each list is read at once, one after the other. */
  readonly reads: readonly (readonly Span[])[]
  /** What members are counted apart by: a number for the start of a part, and one for a cell. Sessions are those of an agent alone. */
  readonly bucketOf: (startMs: number) => number
  /** Null: left out. Null in place of it: all, by 0. */
  readonly placeOf: ((key: CellKey) => number | null) | null
}

/** How many members a bucket and place have. */
export type Counts<Name extends SetName> = (name: Name, bucket: number, place: number) => number

/** Null where they are not all known, or are more than the budget lets be read. Throws Outage. */
export async function countSets<Name extends SetName>(
  db: Database,
  { workspaceId, names, reads, bucketOf, placeOf }: Asked<Name>,
  budget: CountBudget,
): Promise<Counts<Name> | null> {
  const unions = new Map<string, Union>()
  let size = 0
  const take = (part: SetsPart): void => {
    if ('sets' in part) budget.bytes -= part.sets.byteLength
    for (const name of names) {
      if (size > maxMembers) return
      const key = `${name} ${bucketOf(part.startMs)}`
      const union = unions.get(key) ?? { members: makeMembers(), subsets: [] }
      unions.set(key, union)
      size -= union.members.hashes.length
      unite(union, part, name, placeOf)
      size += union.members.hashes.length
    }
  }
  for (const spans of reads) {
    if (budget.bytes <= 0) return null
    const isKnown = await readSets(db, workspaceId, spans, names, take)
    if (!isKnown || size > maxMembers) return null
  }
  return (name, bucket, place) => countNumbers(unions.get(`${name} ${bucket}`)?.subsets[place] ?? [])
}

/** What the parts of a bucket add up to, and the subset of each place. */
type Union = { readonly members: Members; readonly subsets: NumberSet[] }

function unite({ members, subsets }: Union, part: SetsPart, name: SetName, placeOf: Asked<SetName>['placeOf']): void {
  const { hashes, eachSubset } = openSetOf(part, name)
  if (placeOf === null) {
    const all = (subsets[0] ??= [])
    for (const hash of hashes) addNumber(all, numberOf(members, hash))
    return
  }
  // Of those alone that are counted somewhere: the number and one. A plain list with gaps would become a dictionary.
  const numbers = new Int32Array(hashes.length)
  eachSubset((key, places) => {
    const place = placeOf(key)
    if (place === null) return
    const subset = (subsets[place] ??= [])
    for (const at of places) {
      if (numbers[at] === 0) numbers[at] = numberOf(members, hashes[at]!) + 1
      addNumber(subset, numbers[at]! - 1)
    }
  })
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
