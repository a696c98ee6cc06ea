// The defaults that a workspace sets for its rules, and their bounds.
import { z } from 'zod'

export type RuleDefaults = {
  /** The maximum age of a served result, in seconds. */
  readonly freshness_s: number
  /** The share of matched calls that run for real while a rule is active. */
  readonly holdout_rate: number
  /** The share of right results that a rule must exceed. */
  readonly floor: number
  /** The maximum probability that a rule at or below the floor ever passes. */
  readonly alpha: number
}

/** The fields of a workspace and of a single decision. */
export const ruleFields = {
  freshness_s: z.int().min(60).max(2_592_000),
  // Without a holdout, an active rule could not be measured.
  holdout_rate: z.number().min(0.01).max(0.5),
  floor: z.number().min(0.5).max(0.999),
  alpha: z.number().min(0.001).max(0.2),
} as const
