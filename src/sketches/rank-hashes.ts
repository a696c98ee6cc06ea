// Ranks hashes with a bucket sort. Hashes are evenly distributed, so nearly every one has a drawer (bucket) to itself. If a sender has
// crafted ids that are not, a large drawer is sorted by a comparison sort.

const few = 64
const range = 2 ** 48

/** Returns the rank of each 48-bit hash in ascending order, by the index of the hash. The hashes must differ. About 50 ns each. */
export function rankHashes(hashes: readonly number[]): number[] {
  const order = hashes.length <= few ? sortAll(hashes) : sortDrawers(hashes)
  const places = [...hashes]
  for (let place = 0; place < order.length; place++) places[order[place]!] = place
  return places
}

const sortAll = (hashes: readonly number[]): number[] =>
  hashes.map((_, number) => number).sort((a, b) => hashes[a]! - hashes[b]!)

function sortDrawers(hashes: readonly number[]): Int32Array {
  const drawers = 2 ** Math.ceil(Math.log2(hashes.length))
  const drawerOf = (hash: number): number => (hash * (drawers / range)) | 0
  // The index at which the next hash of each drawer is put.
  const ends = new Int32Array(drawers + 1)
  for (const hash of hashes) ends[drawerOf(hash) + 1]!++
  for (let drawer = 1; drawer <= drawers; drawer++) ends[drawer]! += ends[drawer - 1]!
  const order = new Int32Array(hashes.length)
  for (let number = 0; number < hashes.length; number++) order[ends[drawerOf(hashes[number]!)]!++] = number
  // Now each of `ends` is the end of its drawer, which is the start of the next drawer.
  for (let drawer = 0, from = 0; drawer < drawers; drawer++) {
    const to = ends[drawer]!
    if (to - from > few) order.subarray(from, to).sort((a, b) => hashes[a]! - hashes[b]!)
    else if (to - from > 1) insert(order, from, to, hashes)
    from = to
  }
  return order
}

/** Insertion sort, for few hashes. */
function insert(order: Int32Array, from: number, to: number, hashes: readonly number[]): void {
  for (let at = from + 1; at < to; at++) {
    const number = order[at]!
    const hash = hashes[number]!
    let place = at
    for (; place > from && hashes[order[place - 1]!]! > hash; place--) order[place] = order[place - 1]!
    order[place] = number
  }
}
