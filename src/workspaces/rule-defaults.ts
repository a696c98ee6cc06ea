// What a workspace sets for rules that do not say otherwise, and within which bounds.
import { z } from 'zod'

export type RuleDefaults = {
  /** The greatest age of a served result, in seconds. */
  readonly freshness_s: number
  /** Share of matched calls that run for real while a rule is active. */
  readonly holdout_rate: number
  /** The share of right results that must be surpassed. */
  readonly floor: number
  /** How likely a rule at or below the floor may ever pass. */
  readonly alpha: number
}

/** Of a workspace and of a single decision alike. */
export const ruleFields = {
  freshness_s: z.int().min(60).max(2_592_000),
  // Without a holdout an active rule would go on unmeasured.
  holdout_rate: z.number().min(0.01).max(0.5),
  floor: z.number().min(0.5).max(0.999),
  alpha: z.number().min(0.001).max(0.2),
} as const
