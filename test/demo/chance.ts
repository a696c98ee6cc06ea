// The dice of the demo: everything that looks accidental comes from the seed.
import { makeRandom, type Random } from '../_kit/random.ts'

export type Chance = Random & {
  /** A whole number from `min` to `max`, both possible. */
  between(min: number, max: number): number
  /** A whole number around `middle`: mostly near it, now and then several times as large. */
  around(middle: number): number
  hex(bytes: number): string
}

/** The dice of one thing out of many, told apart by `of`: what one of them rolls does not move the others. */
export function makeChance(seed: number, ...of: readonly number[]): Chance {
  const random = makeRandom(of.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e37_79b1) + 0x7f4a_7c15, seed))
  const share = (): number => random.int(1_000_000) / 1_000_000
  return {
    ...random,
    between: (min, max) => min + random.int(max - min + 1),
    around: (middle) => Math.round(middle * Math.exp(0.45 * (share() + share() + share() + share() - 2))),
    hex: (bytes) => Array.from({ length: bytes }, () => random.int(256).toString(16).padStart(2, '0')).join(''),
  }
}
