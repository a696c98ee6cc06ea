// A rung of the ladder: an age limit with its policy and its evidence.
import { ServingPolicy, usualNeed } from '../policy/serving-policy.ts'
import { BlockEvidence } from './evidence.ts'
import { Growth } from './growth.ts'
import { blocksLacking, forecastS, type LadderSettings, lowerShare, type RungStatus, upperShare } from './verdict.ts'
import { Watch } from './watch.ts'

const usPerS = 1_000_000
/** SDKs send a span up to a minute after its end. */
const deliveredUs = 60 * usPerS
const rungsS = [10, 60, 600, 3_600, 21_600, 86_400]

export type Rung = {
  readonly freshnessS: number
  readonly policy: ServingPolicy
  readonly evidence: BlockEvidence
  readonly watch: Watch
  readonly growth: Growth
}

export const makeRung = (settings: LadderSettings, freshnessS: number, firstNeed = usualNeed): Rung => ({
  freshnessS,
  policy: new ServingPolicy(freshnessS * usPerS, firstNeed),
  evidence: new BlockEvidence(freshnessS * usPerS, settings.floor, settings.alpha, deliveredUs),
  watch: new Watch(settings.floor),
  growth: new Growth(),
})

/** Returns the usual rungs below the age limit and a rung at the limit, at most at one day. */
export const makeRungs = (settings: LadderSettings): Rung[] =>
  [
    ...rungsS.filter((freshnessS) => freshnessS < settings.maxFreshnessS),
    Math.min(settings.maxFreshnessS, rungsS.at(-1)!),
  ].map((freshnessS) => makeRung(settings, freshnessS))

/** `untilUs`: end of the newest execution that was replayed. */
export function describeRung(
  { freshnessS, evidence, growth }: Rung,
  { floor, alpha }: LadderSettings,
  untilUs: number,
): RungStatus {
  const { blocks, trials, wrong, late, proven, shares, logs } = evidence.state
  const needsBlocks = proven ? 0 : blocksLacking(logs, floor, alpha)
  return {
    freshnessS,
    evidence: evidence.value,
    blocks,
    trials,
    wrong,
    late,
    proven,
    wrongShareUpper: upperShare(shares, alpha),
    refuted: lowerShare(shares, alpha) > 1 - floor,
    needsBlocks,
    needsS: forecastS(evidence.state, evidence.blockUs, needsBlocks, untilUs, evidence.waiting.length),
    points: [...growth.points],
  }
}
