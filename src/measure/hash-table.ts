// Hashes of 32 bits without any order: a table with open places, which what comes from a good hash fills evenly.

export type HashTable = {
  /** 0 where nothing is; the first bits of a hash tell where to look for it. At most half of the places are taken. */
  places: Uint32Array<ArrayBuffer>
  /** How far a hash is shifted for its place. */
  shift: number
  size: number
  hasZero: boolean
}

const leastBits = 4

export const makeHashTable = (): HashTable => ({
  places: new Uint32Array(2 ** leastBits),
  shift: 32 - leastBits,
  size: 0,
  hasZero: false,
})

/** What it has made room for stays. */
export function clearHashTable(table: HashTable): void {
  if (table.size > 0) table.places.fill(0)
  table.size = 0
  table.hasZero = false
}

/** False where the hash is there already. About 3 ns while the table is in the cache. */
export function insertHash(table: HashTable, hash: number): boolean {
  if (hash === 0) {
    const isNew = !table.hasZero
    table.hasZero = true
    return isNew
  }
  const { places } = table
  const last = places.length - 1
  let at = hash >>> table.shift
  for (let found = places[at]!; found !== 0; found = places[at]!) {
    if (found === hash) return false
    at = (at + 1) & last
  }
  places[at] = hash
  table.size += 1
  if (table.size * 2 > places.length) grow(table)
  return true
}

function grow(table: HashTable): void {
  const { places } = table
  table.places = new Uint32Array(places.length * 2)
  table.shift -= 1
  table.size = 0
  for (const hash of places) if (hash !== 0) insertHash(table, hash)
}

/** In no order. */
export function eachHash({ places, hasZero }: HashTable, take: (hash: number) => void): void {
  if (hasZero) take(0)
  for (const hash of places) if (hash !== 0) take(hash)
}
