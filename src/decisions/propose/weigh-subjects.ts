// Floor 3. Which tools of which agents give the same result again, by their executions of the last days.
import type { Runner } from '../../store/database.ts'
import { completeConfig } from '../config.ts'
import type { Candidate, Look } from './candidate.ts'
import { expectSavings, isWorthwhile, type Weighed } from './expect-savings.ts'

type Subject = {
  readonly tool_name: string
  readonly tool_version: string | null
  readonly agent_id: string
  readonly rival_id: string | null
}

type Seen = Omit<Subject, 'rival_id'> &
  Weighed & {
    readonly executions: number
    readonly inputs: number
    readonly task_types: readonly string[] | null
    readonly trace_ids: readonly string[]
  }

const minReusable = 3

// What a look may read, so that none takes long whatever a workspace sends.
const maxTouchedRuns = 100_000
const maxSubjects = 200
const subjectsAtOnce = 20
const runsOfSubject = 5_000
const maxTraceIds = 5

/** Those worth a proposal on which no reuse_identity decision lives, and of which none was disabled since `disabledSince`. Unordered. */
export async function weighSubjects(
  db: Pick<Runner, 'rows'>,
  look: Look,
  toolNames: readonly string[],
  disabledSince: Date,
): Promise<Candidate[]> {
  const subjects = await db.rows<Subject>('decisions/list-touched-subjects', [
    look.workspaceId,
    toolNames,
    new Date(look.sinceMs),
    new Date(look.toMs),
    Math.ceil(maxTouchedRuns / toolNames.length),
    'reuse_identity',
    disabledSince,
    maxSubjects,
  ])
  const candidates: Candidate[] = []
  for (let at = 0; at < subjects.length && performance.now() <= look.untilMs; at += subjectsAtOnce) {
    const some = subjects.slice(at, at + subjectsAtOnce)
    const seen = await db.rows<Seen>('decisions/weigh-subjects', [
      look.workspaceId,
      some.map((subject) => subject.tool_name),
      some.map((subject) => subject.tool_version),
      some.map((subject) => subject.agent_id),
      new Date(look.fromMs),
      new Date(look.toMs),
      runsOfSubject,
      look.freshnessS,
      minReusable,
    ])
    for (const subject of seen) {
      const rivalId = some.find((one) => isSame(one, subject))?.rival_id ?? null
      const candidate = describe(look, subject, rivalId)
      if (candidate !== null) candidates.push(candidate)
    }
  }
  return candidates
}

const isSame = (a: Omit<Subject, 'rival_id'>, b: Omit<Subject, 'rival_id'>): boolean =>
  a.tool_name === b.tool_name && a.tool_version === b.tool_version && a.agent_id === b.agent_id

/** Null where it is not worth a rule. */
function describe(look: Look, seen: Seen, rivalId: string | null): Candidate | null {
  const { tool_name, tool_version, agent_id, executions, inputs, reusable } = seen
  const bare = completeConfig({ tool_name, tool_version, agent_id, input_hash: null }, look.freshnessS)
  const expected = expectSavings(seen, look, bare.holdout_rate)
  if (!isWorthwhile(expected)) return null
  const [taskType, another] = seen.task_types ?? []
  const evidence = {
    executions,
    inputs,
    reusable,
    median_duration_ms: seen.median_ms,
    mean_cost_usd: seen.mean_cost_usd,
    observed: expected.observed,
    seen_savings: expected.seen,
    expected_monthly_savings: expected.monthly,
    rank: expected.rank,
    trace_ids: [...new Set(seen.trace_ids)].slice(0, maxTraceIds),
  }
  // Several kinds of tasks: it belongs to none.
  const named = another === undefined ? (taskType ?? null) : null
  const reason = `the tool repeated its last result for the same input in ${reusable} of ${executions} calls`
  return { type: 'reuse_identity', expected, reason, rivalId, config: { ...bare, task_type: named, evidence } }
}
