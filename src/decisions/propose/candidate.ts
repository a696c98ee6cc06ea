// A rule that may be proposed, and the look at a workspace that finds it.
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import { completeConfig, type DecisionConfig, type DecisionType } from '../config.ts'
import type { State } from '../lifecycle.ts'
import { type ExpectedSavings, expectSavings, isWorthwhile, type LookBack, type Weighed } from './expect-savings.ts'

/** What a rule of the gate is about. */
export type ProposedSubject = {
  readonly tool_name: string
  readonly tool_version: string | null
  readonly agent_id: string
}

/** A living decision, as it was when it was read. */
export type Rival = { readonly id: string; readonly state: State }

/** One that may be proposed; `rival`: the decision on another version of the tool, whose place it would take. */
export type TouchedSubject = ProposedSubject & { readonly rival: Rival | null }

/** What its executions of the last days show, whatever the type of the rule. */
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
  /** The decision on another version of the tool, whose place it takes. */
  readonly rival: Rival | null
}

export type Look = LookBack & {
  readonly workspaceId: string
  /** Only what ran since then is looked at, back to the start of the look-back. */
  readonly sinceMs: number
  /** Of the workspace. */
  readonly defaults: RuleDefaults
  /** By `performance.now()`: what has not been weighed by then is passed over, until it runs again. */
  readonly untilMs: number
}

const maxTraceIds = 5

type Described = Pick<Candidate, 'type' | 'reason' | 'rival'> & {
  /** What was counted, for the evidence of the decision. */
  readonly counts: Readonly<Record<string, number>>
}

/** Null where it is not worth a rule. */
export function describeCandidate(
  look: Look,
  { tool_name, tool_version, agent_id }: ProposedSubject,
  seen: SeenSubject,
  { type, reason, rival, counts }: Described,
): Candidate | null {
  const bare = completeConfig({ tool_name, tool_version, agent_id, input_hash: null }, look.defaults)
  const expected = expectSavings(seen, look, bare.holdout_rate)
  if (!isWorthwhile(expected)) return null
  const [taskType, another] = seen.task_types ?? []
  const evidence = {
    ...counts,
    median_duration_ms: seen.median_ms,
    mean_cost_usd: seen.mean_cost_usd,
    observed: expected.observed,
    seen_savings: expected.seen,
    expected_monthly_savings: expected.monthly,
    rank: expected.rank,
    trace_ids: [...new Set(seen.trace_ids ?? [])].slice(0, maxTraceIds),
  }
  // Several kinds of tasks: it belongs to none.
  const named = another === undefined ? (taskType ?? null) : null
  return { type, expected, reason, rival, config: { ...bare, task_type: named, evidence } }
}
