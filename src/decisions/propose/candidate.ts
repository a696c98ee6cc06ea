// Floor 3. A rule that may be proposed, and the look at a workspace that finds it.
import type { DecisionConfig, DecisionType } from '../config.ts'
import type { ExpectedSavings, LookBack } from './expect-savings.ts'

export type Candidate = {
  readonly type: DecisionType
  readonly config: DecisionConfig
  readonly expected: ExpectedSavings
  /** For the audit trail. */
  readonly reason: string
  /** The decision on another version of the tool, whose place it takes. */
  readonly rivalId: string | null
}

export type Look = LookBack & {
  readonly workspaceId: string
  /** Only what ran since then is looked at, back to the start of the look-back. */
  readonly sinceMs: number
  readonly freshnessS: number
  /** By `performance.now()`: what has not been weighed by then is passed over, until it runs again. */
  readonly untilMs: number
}
