// Which traces, sessions and inputs a bucket has seen, and of which cells and agents: what a window of any length counts exactly
// from. A set that is known stands in for the sketches of it, which are empty then and made where they are written.
import { type Cell, type Cells, cellOf, sessionMembersOf, sessionsOf } from './cell.ts'
import { addHash, type Distinct } from './distinct.ts'
import type { Fact } from './fact.ts'
import { shorten } from './hash.ts'
import { type Members, makeMembers, numberOf, renumber } from './members.ts'
import { addNumber, addRenumbered, listNumbers, type NumberSet, renumberSet } from './number-set.ts'
import { rankHashes } from './rank-hashes.ts'

/** What a bucket knows the members of, in the order in which they are stored. */
export const setNames = ['traces', 'sessions', 'inputs'] as const
export type SetName = (typeof setNames)[number]

/** In place of members: some of them are not known, or they are more than a bucket holds; shorter buckets may hold them. */
export type Absence = 'unknown' | 'many'
export type Sets = Record<SetName, Members | Absence>

/** Which of the sets of two are known in both. */
export type Known = Readonly<Record<SetName, boolean>>

export const noneKnown: Known = { traces: false, sessions: false, inputs: false }

/** What is needed of a bucket here. */
export type SetsOwner = {
  readonly total: Readonly<Record<'traces' | 'sessions', Distinct>>
  readonly cells: Cells
  readonly sets: Sets
}

/** What a set holds at most: a window that it is a part of has more than are counted exactly. */
export const maxMembers = 131_072
// Of a bit for each cell and member: what its cells take of memory and storage is bounded too.
const maxBits = 2 ** 25

export const makeSets = (): Sets => ({ traces: makeMembers(), sessions: makeMembers(), inputs: makeMembers() })

/** Of a bucket that has sketches from the start. */
export const makeUnknownSets = (): Sets => ({ traces: 'unknown', sessions: 'unknown', inputs: 'unknown' })

/** About 60 ns where all are known already. */
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

/** Of a set that has just grown: beyond the bounds its sketches take its place. */
function bound(owner: SetsOwner, name: SetName, { hashes }: Members): void {
  if (hashes.length > maxMembers || hashes.length * owner.cells.list.length > maxBits) dropMembers(owner, name, 'many')
}

export function boundSets(owner: SetsOwner): void {
  for (const name of setNames) {
    const members = owner.sets[name]
    if (typeof members !== 'string') bound(owner, name, members)
  }
}

/** From now on a set is absent, and there are sketches of it. What is unknown stays so. */
export function dropMembers(owner: SetsOwner, name: SetName, absence: Absence): void {
  const members = owner.sets[name]
  if (members !== 'unknown') owner.sets[name] = absence
  if (typeof members === 'string') return
  sketchMembers(owner, owner.cells, name, members)
  if (name === 'sessions') owner.cells.sessionMembers.clear()
  else for (const cell of owner.cells.list) cell.members[name].length = 0
}

/** Adds to the sketches of one bucket what another one with these cells knows. */
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

/** Numbers members in the order of their hashes: as they are written. */
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

/** By the numbers that members have elsewhere, those that they have here; null where a set is absent there or here. */
export type Renumbering = Readonly<Record<SetName, readonly number[] | null>>

/** Adds the members of other sets, but for bounds, which are to be kept once all is united. */
export function uniteSets(sets: Sets, from: Sets): Renumbering {
  const add = (name: SetName): readonly number[] | null => {
    const [own, members] = [sets[name], from[name]]
    return typeof own === 'string' || typeof members === 'string' ? null : addMembers(own, members.hashes)
  }
  return { traces: add('traces'), sessions: add('sessions'), inputs: add('inputs') }
}

/** Gives by their place the numbers that they have from now on. */
export function addMembers(into: Members, hashes: readonly number[]): readonly number[] {
  const numbers: number[] = []
  for (const hash of hashes) numbers.push(numberOf(into, hash))
  return numbers
}

/** Adds what a cell of the other sets has seen to the cell that takes it here. */
export function uniteCells(into: Cell, from: Cell, { traces, inputs }: Renumbering): void {
  if (traces !== null) addRenumbered(into.members.traces, from.members.traces, traces)
  if (inputs !== null) addRenumbered(into.members.inputs, from.members.inputs, inputs)
}

/** Adds which sessions the agents of the other sets have seen. */
export function uniteAgents(into: Cells, from: Cells, { sessions }: Renumbering): void {
  if (sessions === null) return
  for (const [agentId, members] of from.sessionMembers) {
    addRenumbered(sessionMembersOf(into, agentId), members, sessions)
  }
}
