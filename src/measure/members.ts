// Floor 1. The members of a set by their hashes of 48 bits. Each gets a number, in the order in which they come, so that subsets can
// be told in bits.
import { shorten } from './hash.ts'

/** What a bucket knows the members of. */
export const setNames = ['traces', 'sessions', 'inputs'] as const
export type SetName = (typeof setNames)[number]

export type Members = {
  /** By number, the first `size` of them. */
  hashes: Float64Array<ArrayBuffer>
  size: number
  /** A table with open places: 1 more than the number of the member that is there, 0 where none is. At most half of them are taken. */
  places: Int32Array<ArrayBuffer>
  /** The events of a trace come together. */
  latest: number
  latestNumber: number
}

const noHashes = new Float64Array(0)
const noPlaces = new Int32Array(0)
const leastSize = 8

export const makeMembers = (): Members => ({
  hashes: noHashes,
  size: 0,
  places: noPlaces,
  latest: -1,
  latestNumber: -1,
})

/** The number of a member, which is one from now on. About 10 ns while the table is in the cache. */
export function numberOf(members: Members, hash: number): number {
  if (hash === members.latest) return members.latestNumber
  if (members.size === members.hashes.length) grow(members)
  const { hashes, places, size } = members
  const last = places.length - 1
  let at = shorten(hash) & last
  let number = places[at]! - 1
  while (number >= 0 && hashes[number] !== hash) {
    at = (at + 1) & last
    number = places[at]! - 1
  }
  if (number < 0) {
    number = size
    hashes[number] = hash
    places[at] = number + 1
    members.size = size + 1
  }
  members.latest = hash
  members.latestNumber = number
  return number
}

function grow(members: Members): void {
  const { hashes, size } = members
  const capacity = Math.max(leastSize, size * 2)
  members.hashes = new Float64Array(capacity)
  members.hashes.set(hashes)
  members.places = new Int32Array(capacity * 2)
  const last = capacity * 2 - 1
  for (let number = 0; number < size; number++) {
    let at = shorten(hashes[number]!) & last
    while (members.places[at] !== 0) at = (at + 1) & last
    members.places[at] = number + 1
  }
}
