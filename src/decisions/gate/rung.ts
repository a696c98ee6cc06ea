// A rung of the ladder: an age limit with its policy and its evidence.
import { ServingPolicy, usualNeed } from '../policy/serving-policy.ts'
import { BlockEvidence } from './evidence.ts'
import { Growth } from './growth.ts'
import {
  blocksLacking,
  type LadderSettings,
  lowerShare,
  type NextRung,
  type RungStatus,
  upperShare,
} from './verdict.ts'
import { Watch } from './watch.ts'

const usPerS = 1_000_000
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
  evidence: new BlockEvidence(freshnessS * usPerS, settings.floor, settings.alpha),
  watch: new Watch(settings.floor),
  growth: new Growth(),
})

/** Returns the usual rungs below the age limit and a rung at the limit, at most at one day. */
export const makeRungs = (settings: LadderSettings): Rung[] =>
  [
    ...rungsS.filter((freshnessS) => freshnessS < settings.maxFreshnessS),
    Math.min(settings.maxFreshnessS, rungsS.at(-1)!),
  ].map((freshnessS) => makeRung(settings, freshnessS))

export function describeRung({ freshnessS, evidence, growth }: Rung, { floor, alpha }: LadderSettings): RungStatus {
  const { blocks, trials, wrong, late, proven, shares } = evidence.state
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
    points: [...growth.points],
  }
}

export function describeNext(rung: Rung, settings: LadderSettings): NextRung {
  const { state } = rung.evidence
  const needsBlocks = blocksLacking(state.logs, settings.floor, settings.alpha)
  // The open block counts too, since its time is passing.
  const seen = state.block - state.firstBlock + 1
  const sBlock = state.firstBlock < 0 ? null : (rung.freshnessS * seen) / (state.blocks + 1)
  return {
    ...describeRung(rung, settings),
    needsBlocks,
    needsS: sBlock === null ? null : Math.ceil(needsBlocks * sBlock),
  }
}
