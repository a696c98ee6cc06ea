// A rule that may be proposed, and the scan of a workspace that finds it.
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import { completeConfig, type DecisionConfig, type DecisionType } from '../config.ts'
import type { State } from '../lifecycle.ts'
import { type ExpectedSavings, expectSavings, isWorthwhile, type LookBack, type Weighed } from './expect-savings.ts'

/** The subject of a rule that the gate proposes. */
export type ProposedSubject = {
  readonly tool_name: string
  readonly tool_version: string | null
  readonly agent_id: string
}

/** A live decision, with the state in which it was read. */
export type Rival = { readonly id: string; readonly state: State }

/** A subject for which a rule may be proposed. `rival`: the decision on another version of the tool that the rule would replace. */
export type TouchedSubject = ProposedSubject & { readonly rival: Rival | null }

/** What the executions of a subject in the last days show, for every type of rule. */
export type SeenSubject = Weighed & {
  readonly task_types: readonly string[] | null
  readonly trace_ids: readonly string[] | null
}

export type Candidate = {
  readonly type: DecisionType
  readonly config: DecisionConfig
  readonly expected: ExpectedSavings
  /** For the audit trail. */
  readonly reason: string
  /** The decision on another version of the tool that the rule replaces. */
  readonly rival: Rival | null
}

export type WorkspaceLookBack = LookBack & { readonly workspaceId: string }

/** What the expected saving of a rule depends on beside the executions. */
export type RuleRates = Pick<RuleDefaults, 'freshness_s' | 'holdout_rate'>

export type ProposalScan = WorkspaceLookBack & {
  /** Only subjects that ran since then are weighed, by their executions since the start of the look-back. */
  readonly sinceMs: number
  /** The rule defaults of the workspace. */
  readonly defaults: RuleDefaults
  /** Deadline by `performance.now()`. Subjects that are not weighed by then, except the first, are skipped until they run again. */
  readonly untilMs: number
}

const maxTraceIds = 5

type Described = Pick<Candidate, 'type' | 'reason' | 'rival'> & {
  /** What was counted, for the evidence of the decision. */
  readonly counts: Readonly<Record<string, number>>
}

/** What the executions of a subject show, in the form in which a proposal and a measurement store it. */
export type Worth = Readonly<Record<string, unknown>>

const describeWorth = (
  seen: SeenSubject,
  expected: ExpectedSavings,
  counts: Readonly<Record<string, number>>,
): Worth => ({
  ...counts,
  median_duration_ms: seen.median_ms,
  mean_cost_usd: seen.mean_cost_usd,
  observed: expected.observed,
  seen_savings: expected.seen,
  expected_monthly_savings: expected.monthly,
  rank: expected.rank,
  trace_ids: [...new Set(seen.trace_ids ?? [])].slice(0, maxTraceIds),
})

/** Describes a subject that has a rule already. */
export const weighAgain = (
  seen: SeenSubject,
  lookBack: LookBack,
  { holdout_rate: holdoutRate }: RuleRates,
  counts: Readonly<Record<string, number>>,
): Worth => describeWorth(seen, expectSavings(seen, lookBack, holdoutRate), counts)

/** Returns null if the subject is not worth a rule. */
export function describeCandidate(
  scan: ProposalScan,
  { tool_name, tool_version, agent_id }: ProposedSubject,
  seen: SeenSubject,
  { type, reason, rival, counts }: Described,
): Candidate | null {
  const bare = completeConfig({ tool_name, tool_version, agent_id, input_hash: null }, scan.defaults)
  const expected = expectSavings(seen, scan, bare.holdout_rate)
  if (!isWorthwhile(expected)) return null
  const [taskType, another] = seen.task_types ?? []
  const evidence = describeWorth(seen, expected, counts)
  // A subject with several task types belongs to none.
  const named = another === undefined ? (taskType ?? null) : null
  return { type, expected, reason, rival, config: { ...bare, task_type: named, evidence } }
}
