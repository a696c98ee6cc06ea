// Counts the traces, sessions or inputs of a window exactly, by the sets of its rollups, if their sketches show that there are few
// enough.

import { readSets, type SetsPart } from '../../rollups/read-sets.ts'
import { cutUp, type TimeSpan } from '../../rollups/spans.ts'
import { floorTo, lengthMs, tiers } from '../../rollups/tiers.ts'
import type { CellKey } from '../../sketches/cell.ts'
import { type Members, makeMembers, numberOf } from '../../sketches/members.ts'
import { addNumber, countNumbers, type NumberSet } from '../../sketches/number-set.ts'
import type { SetName } from '../../sketches/sets.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { openSetOf } from './set-of-part.ts'

// An estimate of 100,000 members hardly ever exceeds this: it is six standard errors away.
const maxEstimate = 110_000

/** Whether a set with this estimate is counted exactly. */
export const isCountable = (estimate: number): boolean => estimate <= maxEstimate

/**
 * The bytes that one answer may read. If they do not suffice, the answer keeps its estimates. Reading them takes a fraction of a second.
 */
export type CountBudget = { bytes: number }

export const openBudget = (): CountBudget => ({ bytes: 67_108_864 })

// The limit of members counted at a time; some ten megabytes.
const maxMembers = 2_097_152

export type SetCountRequest<Name extends SetName> = {
  readonly workspaceId: string
  readonly names: readonly Name[]
  /** Ascending spans that do not overlap. The lists are read one after the other, the spans of each list together. */
  readonly reads: readonly (readonly TimeSpan[])[]
  /**
   * Members are counted by bucket (from the start of a part) and by place (the index of a series or row). Cells of sessions have only an
   * agent.
   */
  readonly bucketOf: (startMs: number) => number
  /** Returns the place of a cell; null: omit the cell. If the function itself is null, everything counts at place 0. */
  readonly placeOf: ((key: CellKey) => number | null) | null
}

/** Returns the number of members of a bucket and place. */
export type Counts<Name extends SetName> = (name: Name, bucket: number, place: number) => number

/** Returns null if not all members are known, or if the budget is exceeded. Throws Outage. */
export async function countSets<Name extends SetName>(
  db: Database,
  { workspaceId, names, reads, bucketOf, placeOf }: SetCountRequest<Name>,
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

/** The union of the parts of a bucket, and the subset of each place. */
type Union = { readonly members: Members; readonly subsets: NumberSet[] }

function unite(
  { members, subsets }: Union,
  part: SetsPart,
  name: SetName,
  placeOf: SetCountRequest<SetName>['placeOf'],
): void {
  const { hashes, eachSubset } = openSetOf(part, name)
  if (placeOf === null) {
    const all = (subsets[0] ??= [])
    for (const hash of hashes) addNumber(all, numberOf(members, hash))
    return
  }
  // Each number plus one, 0 if unassigned: only members that some place counts get a number. A plain array with gaps would become a
  // dictionary.
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

/** Splits a window into parts of some days each, which are read one after the other, so that each has a limited number of events. */
export function splitUp({ from, to }: Window, events: number): TimeSpan[][] {
  const window = { fromMs: from.getTime(), toMs: to.getTime() }
  const dayMs = lengthMs[tiers.day]
  const days = Math.max(1, Math.floor(((window.toMs - window.fromMs) / dayMs) * (eventsAtOnce / Math.max(1, events))))
  const cutsMs: number[] = []
  for (let ms = floorTo(window.fromMs, tiers.day); ms < window.toMs; ms += days * dayMs) cutsMs.push(ms)
  return cutUp(window, cutsMs).map((span) => [span])
}
