// The members of a set, as hashes of 48 bits. Members are numbered in the order in which they are added, so that a subset can be stored
// as bits.
export type Members = {
  /** By number. Plain arrays: most sets are small, and a typed array takes longer to allocate than a small plain array takes to fill. */
  hashes: number[]
  /**
   * An open-addressing table: a slot holds the number of a member plus 1, or 0 if it is free. Empty while there are few members. The slots
   * are in the order of the hashes, so that sorted hashes, as stored sets have, are looked up in adjacent memory.
   */
  places: Int32Array
  /** The hash that was looked up last: the events of a trace often arrive together. */
  latest: number
  latestNumber: number
}

const few = 8
const noPlaces = new Int32Array(0)
const hashes48 = 2 ** 48

export const makeMembers = (): Members => ({ hashes: [], places: noPlaces, latest: -1, latestNumber: -1 })

/**
 * Makes room for so many more members. Call it before sorted hashes are added: the first of them fall into few slots of a table that is too
 * small for all, and are then looked up in time that grows with their square.
 */
export function reserveMembers(members: Members, more: number): void {
  const count = members.hashes.length + more
  if (count >= few && count * 2 > members.places.length) spread(members, count)
}

/** Returns the number of a member, and adds it if it is new. About 10 ns while the table is in the CPU cache. */
export function numberOf(members: Members, hash: number): number {
  if (hash === members.latest) return members.latestNumber
  const { hashes, places } = members
  const number = hashes.length < few && places.length === 0 ? seek(members, hash) : lookUp(members, hash)
  if (number === hashes.length) hashes.push(hash)
  members.latest = hash
  members.latestNumber = number
  return number
}

/** Returns the number of the member, or the next free number. */
function seek({ hashes }: Members, hash: number): number {
  let number = 0
  while (number < hashes.length && hashes[number] !== hash) number++
  return number
}

/** As `seek`, but uses the table, and enters a new member in it. */
function lookUp(members: Members, hash: number): number {
  const { hashes } = members
  if (hashes.length * 2 >= members.places.length) spread(members, hashes.length)
  const { places } = members
  const last = places.length - 1
  let at = slotOf(hash, places)
  for (let found = places[at]!; found !== 0; found = places[at]!) {
    if (hashes[found - 1] === hash) return found - 1
    at = (at + 1) & last
  }
  places[at] = hashes.length + 1
  return hashes.length
}

const slotOf = (hash: number, { length }: Int32Array): number => Math.trunc(hash * (length / hashes48))

/** Renumbers the members: the member with number n gets the number `names[n]`. */
export function renumber(members: Members, names: readonly number[]): void {
  const hashes = [...members.hashes]
  for (let number = 0; number < names.length; number++) hashes[names[number]!] = members.hashes[number]!
  members.hashes = hashes
  members.places = noPlaces
  members.latest = -1
}

/** Rebuilds the table with room for at least so many members. */
function spread(members: Members, count: number): void {
  const { hashes } = members
  const places = new Int32Array(Math.max(few, 2 ** Math.ceil(Math.log2(count))) * 4)
  const last = places.length - 1
  for (let number = 0; number < hashes.length; number++) {
    let at = slotOf(hashes[number]!, places)
    while (places[at] !== 0) at = (at + 1) & last
    places[at] = number + 1
  }
  members.places = places
}
