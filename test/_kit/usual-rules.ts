// What a workspace sets for its rules as long as nobody changes it.
import type { RuleDefaults } from '../../src/workspaces/rule-defaults.ts'

export const usualRules = (freshnessS: number): RuleDefaults => ({
  freshness_s: freshnessS,
  holdout_rate: 0.05,
  floor: 0.95,
  alpha: 0.05,
})
