// The union of sets, and the subset of its members that each place has.

import type { SetsPart } from '../../rollups/read-sets.ts'
import type { CellKey } from '../../sketches/cell.ts'
import { type Members, makeMembers, numberOf, reserveMembers } from '../../sketches/members.ts'
import { addNumber, addRenumbered, type NumberSet } from '../../sketches/number-set.ts'
import { addMembers, type SetName } from '../../sketches/sets.ts'
import { openSetOf } from './set-of-part.ts'

export type MemberUnion = { readonly members: Members; readonly subsets: NumberSet[] }

/** A union that is not changed any more, without the table of its members. */
export type PackedUnion = { readonly hashes: Float64Array; readonly subsets: readonly NumberSet[] }

export const makeUnion = (): MemberUnion => ({ members: makeMembers(), subsets: [] })

/**
 * Adds a set of a part. `placeOf` returns the place of a cell, null: omit the cell. If the function is null, all members are at place 0.
 */
export function uniteSet(
  { members, subsets }: MemberUnion,
  part: SetsPart,
  name: SetName,
  placeOf: ((key: CellKey) => number | null) | null,
): void {
  const { hashes, eachSubset } = openSetOf(part, name)
  reserveMembers(members, hashes.length)
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

/** Adds a union to another one. */
export function addUnion({ members, subsets }: MemberUnion, from: MemberUnion): void {
  const numbers = addMembers(members, from.members.hashes)
  // Places without members have no subset, and are passed over.
  from.subsets.forEach((subset, place) => addRenumbered((subsets[place] ??= []), subset, numbers))
}

export const packUnion = ({ members, subsets }: MemberUnion): PackedUnion => ({
  hashes: Float64Array.from(members.hashes),
  subsets: copySubsets(subsets),
})

export function unpackUnion({ hashes, subsets }: PackedUnion): MemberUnion {
  const members = makeMembers()
  addMembers(members, hashes)
  return { members, subsets: copySubsets(subsets) }
}

/** Places without members have no subset. */
const copySubsets = (subsets: readonly (NumberSet | undefined)[]): NumberSet[] =>
  Array.from(subsets, (subset) => subset?.slice() ?? [])

const wordBytes = 8
const arrayBytes = 64

/** Approximate memory. */
export const bytesOfPacked = ({ hashes, subsets }: PackedUnion): number =>
  subsets.reduce((bytes, subset) => bytes + arrayBytes + subset.length * wordBytes, hashes.byteLength + arrayBytes)
