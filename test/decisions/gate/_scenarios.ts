// Ways in which the results of a tool change, and the traffic that calls it. Times are in seconds.

export type Rng = () => number

/** Uniform in [0, 1) with 32 bits (mulberry32). */
export function makeRng(seed: number): Rng {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The result of the tool for a call: a number identifies a content; null: the call fails. */
export type Value = (call: {
  readonly input: number
  readonly t: number
  readonly nth: number
  readonly rng: Rng
  /** Whether a result of this input may be served now: all that an adversary can know before the holdout is drawn. */
  readonly isServable: boolean
}) => number | null

export type Scenario = {
  /** Makes the tool of a run. */
  readonly make: (seed: number) => Value
  readonly rate?: number
  readonly days?: number
}

const mix = (a: number, b: number): number => (Math.imul(a + 1, 2_654_435_761) ^ Math.imul(b + 7, 40_503)) >>> 0
const every =
  (seconds: number): Value =>
  ({ input, t }) =>
    mix(input, Math.floor(t / seconds))
const everyCalls =
  (calls: number): Value =>
  ({ input, nth }) =>
    mix(input, Math.floor(nth / calls))
const noise =
  (share: number): Value =>
  ({ input, rng }) =>
    rng() < share ? rng() : input

/** Each change comes at a random time, an hour apart on average. */
const poissonHourly = (seed: number): Value => {
  const rng = makeRng(seed * 77 + 5)
  const times: number[] = []
  for (let t = 0; t < 1e6; ) {
    t += -Math.log(1 - rng()) * 3_600
    times.push(t)
  }
  let changes = 0
  return ({ input, t }) => {
    while (times[changes]! < t) changes++
    return mix(input, changes)
  }
}

/** Changes only while a result may be served, so that every change does harm. */
const adversary = (): Value => {
  let version = 0
  return ({ input, isServable, rng }) => {
    if (isServable && rng() < 0.002) version++
    return mix(input, version)
  }
}

const always = (value: Value) => (): Value => value

export const scenarios: Readonly<Record<string, Scenario>> = {
  constant: { make: always(({ input }) => input) },
  'every 5 s': { make: always(every(5)) },
  'every minute': { make: always(every(60)) },
  'every 10 min': { make: always(every(600)) },
  hourly: { make: always(every(3_600)) },
  daily: { make: always(every(86_400)), days: 4 },
  'every 20 calls': { make: always(everyCalls(20)) },
  'every 100 calls': { make: always(everyCalls(100)) },
  'every 400 calls': { make: always(everyCalls(400)) },
  'every 2000 calls': { make: always(everyCalls(2_000)) },
  'noise 1 %': { make: always(noise(0.01)) },
  'noise 4 %': { make: always(noise(0.04)) },
  'noise 6 %': { make: always(noise(0.06)) },
  'one input of noise': { make: always(({ input, rng }) => (input === 3 ? rng() : input)) },
  '5 % of inputs unstable': { make: always(({ input, rng }) => (input % 20 === 7 ? rng() : input)) },
  'regime from noon': { make: always(({ input, t }) => (t < 43_200 ? input : mix(input, Math.floor(t / 20)))) },
  'poisson hourly': { make: poissonHourly },
  'deploy every 10 min': { make: always(every(600)), rate: 10 },
  'deploys at 9, 13, 17 h': {
    make: always(({ input, t }) => mix(input, [9, 13, 17].filter((h) => t > h * 3_600).length)),
  },
  'errors from noon': { make: always(({ input, t }) => (t < 43_200 ? input : null)) },
  adversary: { make: adversary },
}

export const traffics = [
  { rate: 1, inputs: 20 },
  { rate: 0.1, inputs: 5 },
  { rate: 10, inputs: 1 },
] as const
