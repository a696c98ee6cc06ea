// The default settings of a workspace for its rules.
import type { RuleDefaults } from '../../src/workspaces/rule-defaults.ts'

export const usualRules = (freshnessS: number): RuleDefaults => ({
  freshness_s: freshnessS,
  holdout_rate: 0.05,
  floor: 0.95,
  alpha: 0.05,
})
