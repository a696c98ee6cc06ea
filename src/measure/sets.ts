// Floor 1. Which traces, sessions and inputs a bucket has seen, and each of its cells: what a window of any length counts exactly from.
// The sketches of totals and cells are always there; these are not, beyond a bound and where a part of the bucket does not tell.
import type { Cell, Cells } from './cell.ts'
import type { Fact } from './fact.ts'
import { type Members, makeMembers, numberOf, type SetName, setNames } from './members.ts'
import { addNumber, addRenumbered, type NumberSet } from './number-set.ts'

/** In place of members: some of them are not known, or they are more than a bucket holds; shorter buckets may hold them. */
export type Absence = 'unknown' | 'many'
export type Sets = Record<SetName, Members | Absence>

/** What is needed of a bucket here. */
export type CellsAndSets = { readonly cells: Cells; readonly sets: Sets }

/** What a set holds at most: a window that it is a part of has more than are counted exactly. */
export const maxMembers = 131_072
// Of a bit for each cell and member: what its cells take of memory and storage is bounded too.
const maxBits = 2 ** 25

export const makeSets = (): Sets => ({ traces: makeMembers(), sessions: makeMembers(), inputs: makeMembers() })

/** From now on they are not known. */
export function forgetSets(sets: Sets): void {
  for (const name of setNames) sets[name] = 'unknown'
}

/** About 30 ns where all are known already. */
export function addToSets({ cells, sets }: CellsAndSets, cell: Cell, fact: Fact): void {
  addMember(cells, sets, 'traces', cell.members.traces, fact.traceHash)
  if (fact.sessionHash >= 0) addMember(cells, sets, 'sessions', cell.members.sessions, fact.sessionHash)
  if (fact.inputHash >= 0) addMember(cells, sets, 'inputs', cell.members.inputs, fact.inputHash)
}

function addMember(cells: Cells, sets: Sets, name: SetName, numbers: NumberSet, hash: number): void {
  const members = sets[name]
  if (typeof members === 'string') return
  addNumber(numbers, numberOf(members, hash))
  if (isBeyond(members, cells)) sets[name] = 'many'
}

const isBeyond = ({ size }: Members, { list }: Cells): boolean => size > maxMembers || size * list.length > maxBits

/** By the numbers that they have elsewhere, those that they have here; null where a set is absent. */
export type Renumbering = Readonly<Record<SetName, Int32Array | null>>

/** Adds the members of other sets. */
export function uniteSets(into: CellsAndSets, from: Sets): Renumbering {
  const add = (name: SetName): Int32Array | null => {
    const members = from[name]
    if (typeof members === 'string') return addAbsence(into.sets, name, members)
    return addMembers(into, name, members.hashes, members.size)
  }
  return { traces: add('traces'), sessions: add('sessions'), inputs: add('inputs') }
}

/** What is unknown stays so. */
export function addAbsence(sets: Sets, name: SetName, absence: Absence): null {
  if (sets[name] !== 'unknown') sets[name] = absence
  return null
}

/** Gives by their place the numbers that they have from now on; null where the set is absent. */
export function addMembers(
  { cells, sets }: CellsAndSets,
  name: SetName,
  hashes: Float64Array,
  size: number,
): Int32Array | null {
  const members = sets[name]
  if (typeof members === 'string') return null
  const numbers = new Int32Array(size)
  for (let place = 0; place < size; place++) numbers[place] = numberOf(members, hashes[place]!)
  return isBeyond(members, cells) ? addAbsence(sets, name, 'many') : numbers
}

/** Adds what a cell of the other sets has seen to the cell that takes it here. */
export function uniteCells(into: Cell, from: Cell, numbers: Renumbering): void {
  for (const name of setNames) {
    const renumbered = numbers[name]
    if (renumbered !== null) addRenumbered(into.members[name], from.members[name], renumbered)
  }
}
