// Which member should own a partition: rendezvous hashing, so that a change of members moves as little as possible. Pure.
import { hash } from 'node:crypto'
import { partitionCount } from '../partition.ts'

export type Placement = {
  /** The members' names as they should own the partition: the first one, and after it who steps in. */
  rank(partition: number): readonly string[]
}

/** Everyone who knows the same names gets the same. About 2 µs a member and partition, once. */
export function makePlacement(names: Iterable<string>): Placement {
  const sorted = [...new Set(names)].sort()
  const ranks = Array.from({ length: partitionCount }, (_, partition) => {
    const weights = new Map(sorted.map((name) => [name, weigh(name, partition)]))
    return sorted.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))
  })
  return { rank: (partition) => ranks[partition] ?? [] }
}

/** 48 bits, so that a number holds it. Names have no colon. */
const weigh = (name: string, partition: number): number =>
  hash('sha256', `${partition}:${name}`, 'buffer').readUIntBE(0, 6)
