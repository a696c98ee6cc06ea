// Chooses the next state of a suppress_dead decision from its measurements. Pure.
import {
  describeLoss,
  inconclusiveDays,
  inPercent,
  isOverdue,
  type Situation,
  type Transition,
  wordBlocks,
} from './choose-step.ts'
import type { BreachReason } from './gate/watch.ts'
import type { Effects } from './measure-effects.ts'
import type { UnreadStanding } from './unread/unread-evidence.ts'
import type { HeldOut } from './unread/watch-held-out.ts'

type Known = { readonly standing: UnreadStanding; readonly heldOut: HeldOut; readonly effects: Effects }

/** Returns null if the decision stays in its state. `minSamples`: minimum number of sessions for a proof. */
export function chooseUnreadStep(
  situation: Situation & { readonly minSamples: number },
  { standing, heldOut, effects }: Known,
): Transition | null {
  if (heldOut.breach !== null)
    return {
      to: 'disabled',
      reason: `failed: ${breachWords[heldOut.breach]} (${wordUses(heldOut)} in the holdout)`,
    }
  const loss = describeLoss(effects)
  if (loss !== null) return { to: 'disabled', reason: loss }
  if (situation.state === 'active') return null
  if (standing.verdict === 'fail') return { to: 'disabled', reason: describeFailure(situation, standing) }
  if (standing.proven && standing.trials >= situation.minSamples)
    return situation.isHeldByUser ? null : { to: 'active', reason: describeProof(situation, standing) }
  return isOverdue(situation)
    ? { to: 'disabled', reason: `inconclusive after ${inconclusiveDays} days: ${describeTrials(standing)}` }
    : null
}

function describeProof({ floor, alpha }: Situation, standing: UnreadStanding): string {
  const claim = `a model uses the result in at most ${inPercent(1 - floor)} % of sessions`
  return `proven: ${claim}, at ${inPercent(1 - alpha)} % confidence (${wordBlocks(standing.blocks)}, used in ${wordUses(standing)})`
}

const describeFailure = ({ floor }: Situation, standing: UnreadStanding): string =>
  `failed: ${describeTrials(standing)}, significantly more than the allowed ${inPercent(1 - floor)} %`

const describeTrials = (standing: UnreadStanding): string =>
  standing.trials === 0
    ? 'no result of the tool was in a prompt'
    : `a model used the result in ${wordUses(standing)} in ${wordBlocks(standing.blocks)}`

const wordUses = ({ trials, wrong }: { readonly trials: number; readonly wrong: number }): string =>
  `${wrong} of ${trials} sessions`

const breachWords: Readonly<Record<BreachReason, string>> = {
  wrong_share: 'models used the result in more sessions than allowed',
  wrong_in_a_row: 'models used the result in five sessions in a row',
}
