// The random numbers of the demo: everything that looks accidental is derived from the seed.
import { makeRandom, type Random } from '../_kit/random.ts'

export type Chance = Random & {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** A whole number around `middle`: mostly near it, occasionally several times as large. */
  around(middle: number): number
  hex(bytes: number): string
}

/** Hashes the parts in their order; each part is mixed in before the next, so that the results of neighbouring parts lie far apart. */
function mix(parts: readonly number[]): number {
  let mixed = 0x2545_f491
  for (const part of parts) {
    mixed = Math.imul(mixed ^ part, 0x9e37_79b1)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b)
    mixed ^= mixed >>> 13
  }
  return mixed
}

/** Random numbers for one thing of many, identified by `of`: the numbers drawn for one thing do not affect the others. */
export function makeChance(seed: number, ...of: readonly number[]): Chance {
  const random = makeRandom(mix([seed, ...of]))
  const share = (): number => random.int(1_000_000) / 1_000_000
  return {
    ...random,
    between: (min, max) => min + random.int(max - min + 1),
    around: (middle) => Math.round(middle * Math.exp(0.45 * (share() + share() + share() + share() - 2))),
    hex: (bytes) => Array.from({ length: bytes }, () => random.int(256).toString(16).padStart(2, '0')).join(''),
  }
}
