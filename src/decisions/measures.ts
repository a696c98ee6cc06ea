// What is measured of a decision.
import type { DecisionRow } from './decision-shape.ts'
import { roundTo, shareDecimals, usdDecimals } from './gate/round.ts'
import type { Effects } from './measure-effects.ts'
import type { MeasuredRow } from './trials/phase.ts'

/** The columns that show it. */
export type Measures = Pick<
  DecisionRow,
  'shadow_samples' | 'shadow_match_rate' | 'cost_delta_usd' | 'latency_delta_ms' | 'quality_delta' | 'score'
>

const evidenceDecimals = 3
// Beyond this the number says no more.
const mostEvidence = 1_000_000

export const showEvidence = (evidence: number): number => roundTo(Math.min(mostEvidence, evidence), evidenceDecimals)

/** Null of nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : roundTo(part / whole, shareDecimals)

type Counted = { readonly trials: number; readonly wrong: number }

/** What the shadow has shown stays as it was once the decision is active. */
export const showShadow = (
  { state, shadow_samples, shadow_match_rate }: MeasuredRow,
  { trials, wrong }: Counted,
): Pick<Measures, 'shadow_samples' | 'shadow_match_rate'> =>
  state === 'active'
    ? { shadow_samples, shadow_match_rate }
    : { shadow_samples: trials, shadow_match_rate: shareOf(trials - wrong, trials) }

/** Null where nothing was served for 24 hours, or no price is known. */
export const monthlySavingsUsd = ({ costDeltaUsd, servedMonthly }: Effects): number | null =>
  costDeltaUsd === null || servedMonthly === null ? null : roundTo(-costDeltaUsd * servedMonthly, usdDecimals)
