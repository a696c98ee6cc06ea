// Which member should own a partition: rendezvous hashing, so that a change of members moves as few partitions as possible. Pure.
import { hash } from 'node:crypto'
import { partitionCount } from '../partition.ts'

export type Placement = {
  /** Returns the names of the members in the order of preference: the intended owner first, then its substitutes. */
  rank(partition: number): readonly string[]
}

/** The result depends only on the set of names. Costs about 2 µs per member and partition, once. */
export function makePlacement(names: Iterable<string>): Placement {
  const sorted = [...new Set(names)].sort()
  const ranks = Array.from({ length: partitionCount }, (_, partition) => {
    const weights = new Map(sorted.map((name) => [name, weigh(name, partition)]))
    return sorted.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))
  })
  return { rank: (partition) => ranks[partition] ?? [] }
}

/** 48 bits, so that a number can hold it. Names contain no colon. */
const weigh = (name: string, partition: number): number =>
  hash('sha256', `${partition}:${name}`, 'buffer').readUIntBE(0, 6)
