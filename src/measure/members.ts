// The members of a set by their hashes of 48 bits. Each gets a number, in the order in which they come, so that subsets can
// be told in bits.
import { shorten } from './hash.ts'

export type Members = {
  /** By number. Plain arrays: most sets are small, and an array outside the heap takes longer to make than they to fill. */
  hashes: number[]
  /** A table with open places: 1 more than the number of the member that is there, 0 where none is. None while they are few. */
  places: number[]
  /** The events of a trace come together. */
  latest: number
  latestNumber: number
}

const few = 8

export const makeMembers = (): Members => ({ hashes: [], places: [], latest: -1, latestNumber: -1 })

/** The number of a member, which is one from now on. About 10 ns while the table is in the cache. */
export function numberOf(members: Members, hash: number): number {
  if (hash === members.latest) return members.latestNumber
  const { hashes } = members
  const number = hashes.length < few ? seek(members, hash) : lookUp(members, hash)
  if (number === hashes.length) hashes.push(hash)
  members.latest = hash
  members.latestNumber = number
  return number
}

/** The number that it has, or the next one. */
function seek({ hashes }: Members, hash: number): number {
  let number = 0
  while (number < hashes.length && hashes[number] !== hash) number++
  return number
}

/** Likewise; the next one stands in the table then. */
function lookUp(members: Members, hash: number): number {
  const { hashes } = members
  if (hashes.length * 2 >= members.places.length) spread(members)
  const { places } = members
  const last = places.length - 1
  let at = shorten(hash) & last
  for (let found = places[at]!; found !== 0; found = places[at]!) {
    if (hashes[found - 1] === hash) return found - 1
    at = (at + 1) & last
  }
  places[at] = hashes.length + 1
  return hashes.length
}

/** Numbers them anew, each as what it is called there. */
export function renumber(members: Members, names: readonly number[]): void {
  const hashes = [...members.hashes]
  for (let number = 0; number < names.length; number++) hashes[names[number]!] = members.hashes[number]!
  members.hashes = hashes
  members.places = []
  members.latest = -1
}

/** Makes room for twice as many. */
function spread(members: Members): void {
  const { hashes } = members
  const places = Array<number>(Math.max(few, 2 ** Math.ceil(Math.log2(hashes.length))) * 4).fill(0)
  const last = places.length - 1
  for (let number = 0; number < hashes.length; number++) {
    let at = shorten(hashes[number]!) & last
    while (places[at] !== 0) at = (at + 1) & last
    places[at] = number + 1
  }
  members.places = places
}
