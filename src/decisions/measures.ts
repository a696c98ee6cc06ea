// The measurements of a decision, in the form in which they are stored and shown.
import type { DecisionRow } from './decision-shape.ts'
import { roundTo, shareDecimals, usdDecimals } from './gate/round.ts'
import type { Effects } from './measure-effects.ts'
import type { MeasuredRow } from './trials/phase.ts'

/** The columns of a decision that hold its measurements. */
export type Measures = Pick<
  DecisionRow,
  'shadow_samples' | 'shadow_match_rate' | 'cost_delta_usd' | 'latency_delta_ms' | 'quality_delta' | 'score'
>

const evidenceDecimals = 3
// A greater value carries no more information.
const mostEvidence = 1_000_000

export const showEvidence = (evidence: number): number => roundTo(Math.min(mostEvidence, evidence), evidenceDecimals)

/** Returns null if `whole` is 0. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : roundTo(part / whole, shareDecimals)

type Counted = { readonly trials: number; readonly wrong: number }

/** The results of the shadow phase stay as they were once the decision is active. */
export const showShadow = (
  { state, shadow_samples, shadow_match_rate }: MeasuredRow,
  { trials, wrong }: Counted,
): Pick<Measures, 'shadow_samples' | 'shadow_match_rate'> =>
  state === 'active'
    ? { shadow_samples, shadow_match_rate }
    : { shadow_samples: trials, shadow_match_rate: shareOf(trials - wrong, trials) }

/** Returns null if calls were observed for less than 24 hours, or if the cost per served call is unknown. */
export const monthlySavingsUsd = ({ costDeltaUsd, servedMonthly }: Effects): number | null =>
  costDeltaUsd === null || servedMonthly === null ? null : roundTo(-costDeltaUsd * servedMonthly, usdDecimals)
