// The traces, sessions and inputs that a bucket, its cells and its agents have seen: a window of any length counts them exactly from these
// sets. While a set is known, its sketches are empty; they are computed when they are written.
import { type Cell, type Cells, cellOf, sessionMembersOf, sessionsOf } from './cell.ts'
import { addHash, type Distinct } from './distinct.ts'
import type { Fact } from './fact.ts'
import { shorten } from './hash.ts'
import { type Members, makeMembers, numberOf, renumber, reserveMembers } from './members.ts'
import { addNumber, addRenumbered, listNumbers, type NumberSet, renumberSet } from './number-set.ts'
import { rankHashes } from './rank-hashes.ts'

/** The sets of a bucket, in the order in which they are stored. */
export const setNames = ['traces', 'sessions', 'inputs'] as const
export type SetName = (typeof setNames)[number]

/** Replaces the members: `unknown`, some are not known; `many`, there are more than a bucket holds, though shorter buckets may hold them. */
export type Absence = 'unknown' | 'many'
export type Sets = Record<SetName, Members | Absence>

/** Which sets are known in both of two buckets. */
export type KnownSets = Readonly<Record<SetName, boolean>>

export const noneKnown: KnownSets = { traces: false, sessions: false, inputs: false }

/** The part of a bucket that this file uses. */
export type SetsOwner = {
  readonly total: Readonly<Record<'traces' | 'sessions', Distinct>>
  readonly cells: Cells
  readonly sets: Sets
}

/** The maximum for a set. A window that contains a larger one has more members than are counted exactly. */
export const maxMembers = 131_072
// The maximum of cells times members. A cell takes up to one bit for each member, so this bounds the memory and storage of all cells.
const maxBits = 2 ** 25

export const makeSets = (): Sets => ({ traces: makeMembers(), sessions: makeMembers(), inputs: makeMembers() })

/** Returns the sets of a bucket that uses sketches from the start. */
export const makeUnknownSets = (): Sets => ({ traces: 'unknown', sessions: 'unknown', inputs: 'unknown' })

/** Adds the trace, input and session of an event. About 60 ns if the sets contain them. */
export function addToSets(owner: SetsOwner, cell: Cell, fact: Fact): void {
  const { sets, total, cells } = owner
  const { traces, inputs, sessions } = sets
  if (typeof traces === 'string') {
    addHash(total.traces, shorten(fact.traceHash))
    addHash(cell.traces, shorten(fact.traceHash))
  } else {
    addNumber(cell.members.traces, numberOf(traces, fact.traceHash))
    bound(owner, 'traces', traces)
  }
  if (fact.inputHash >= 0) {
    if (typeof inputs === 'string') addHash(cell.inputs, shorten(fact.inputHash))
    else {
      addNumber(cell.members.inputs, numberOf(inputs, fact.inputHash))
      bound(owner, 'inputs', inputs)
    }
  }
  if (fact.sessionHash < 0) return
  if (typeof sessions === 'string') {
    addHash(total.sessions, shorten(fact.sessionHash))
    addHash(sessionsOf(cells, fact.agentId), shorten(fact.sessionHash))
  } else {
    addNumber(sessionMembersOf(cells, fact.agentId), numberOf(sessions, fact.sessionHash))
    bound(owner, 'sessions', sessions)
  }
}

/** Checks a set that has grown: beyond the maximum, sketches replace it. */
function bound(owner: SetsOwner, name: SetName, { hashes }: Members): void {
  if (hashes.length > maxMembers || hashes.length * owner.cells.list.length > maxBits) dropMembers(owner, name, 'many')
}

export function boundSets(owner: SetsOwner): void {
  for (const name of setNames) {
    const members = owner.sets[name]
    if (typeof members !== 'string') bound(owner, name, members)
  }
}

/** Replaces the members of a set by sketches and marks it as absent. An unknown set stays unknown. */
export function dropMembers(owner: SetsOwner, name: SetName, absence: Absence): void {
  const members = owner.sets[name]
  if (members !== 'unknown') owner.sets[name] = absence
  if (typeof members === 'string') return
  sketchMembers(owner, owner.cells, name, members)
  if (name === 'sessions') owner.cells.sessionMembers.clear()
  else for (const cell of owner.cells.list) cell.members[name].length = 0
}

/** Adds a known set of the bucket that has the cells `from` to the sketches of the bucket `into`. */
export function sketchMembers(into: SetsOwner, from: Cells, name: SetName, { hashes }: Members): void {
  const short = hashes.map(shorten)
  const numbers: number[] = []
  const add = (sketch: Distinct, subset: NumberSet): void => {
    listNumbers(subset, numbers)
    for (const number of numbers) addHash(sketch, short[number]!)
  }
  if (name !== 'inputs') for (const hash of short) addHash(into.total[name], hash)
  if (name === 'sessions') {
    for (const [agentId, subset] of from.sessionMembers) add(sessionsOf(into.cells, agentId), subset)
    return
  }
  for (const cell of from.list) {
    if (cell.members[name].length > 0) add(cellOf(into.cells, cell)[name], cell.members[name])
  }
}

/** Renumbers members in the order of their hashes, in which they are written. */
export function sortSets({ cells, sets }: Pick<SetsOwner, 'cells' | 'sets'>): void {
  for (const name of setNames) {
    const members = sets[name]
    if (typeof members === 'string' || isSorted(members.hashes)) continue
    const names = rankHashes(members.hashes)
    renumber(members, names)
    if (name === 'sessions') for (const subset of cells.sessionMembers.values()) renumberSet(subset, names)
    else for (const cell of cells.list) renumberSet(cell.members[name], names)
  }
}

function isSorted(hashes: readonly number[]): boolean {
  for (let number = 1; number < hashes.length; number++) if (hashes[number]! < hashes[number - 1]!) return false
  return true
}

/** For each set, maps the numbers of members in the other sets to their numbers in these; null if the set is absent in either. */
export type Renumbering = Readonly<Record<SetName, readonly number[] | null>>

/** Adds the members of other sets. It does not apply the maximums: the caller has to call `boundSets` when all is merged. */
export function uniteSets(sets: Sets, from: Sets): Renumbering {
  const add = (name: SetName): readonly number[] | null => {
    const [own, members] = [sets[name], from[name]]
    return typeof own === 'string' || typeof members === 'string' ? null : addMembers(own, members.hashes)
  }
  return { traces: add('traces'), sessions: add('sessions'), inputs: add('inputs') }
}

/** Adds hashes, and returns their numbers by the index of the hash. */
export function addMembers(into: Members, hashes: readonly number[] | Float64Array): readonly number[] {
  reserveMembers(into, hashes.length)
  const numbers: number[] = []
  for (const hash of hashes) numbers.push(numberOf(into, hash))
  return numbers
}

/** Adds the members that a cell of the other bucket has seen to a cell of this one. */
export function uniteCells(into: Cell, from: Cell, { traces, inputs }: Renumbering): void {
  if (traces !== null) addRenumbered(into.members.traces, from.members.traces, traces)
  if (inputs !== null) addRenumbered(into.members.inputs, from.members.inputs, inputs)
}

/** Adds the sessions that the agents of the other bucket have seen. */
export function uniteAgents(into: Cells, from: Cells, { sessions }: Renumbering): void {
  if (sessions === null) return
  for (const [agentId, members] of from.sessionMembers) {
    addRenumbered(sessionMembersOf(into, agentId), members, sessions)
  }
}
