// Floor 3. What the executions of the last days speak for: pairs that give the same again, and tools that nobody reads.
import type { Runner } from '../../store/database.ts'
import { completeConfig, type DecisionType } from '../config.ts'
import type { Candidate, Look } from './candidate.ts'
import { expectSavings, isWorthwhile, type Weighed } from './expect-savings.ts'
import { weighSubjects } from './weigh-subjects.ts'

type Seen = Weighed & {
  readonly agents: number
  readonly task_types: readonly string[] | null
  readonly trace_ids: readonly string[]
}
type ToolSeen = Omit<Seen, 'first_at' | 'trace_ids'> & {
  readonly first_at: Date | null
  readonly trace_ids: readonly string[] | null
  readonly consumed: number
  readonly read: number
}

const minConsumed = 20
const coolDownMs = 30 * 86_400_000

// What a look may read, so that none takes long whatever a workspace sends.
const runsOfTool = 1_000
// Most tools are read: a few of their runs show it.
const runsOfToolAtFirst = 100
const maxTraceIds = 5

/** Everything worth a proposal on which nothing lives and nothing was disabled in the last 30 days. Unordered. Throws Outage. */
export async function weighCandidates(db: Pick<Runner, 'rows' | 'row'>, look: Look): Promise<Candidate[]> {
  const { workspaceId, sinceMs, toMs } = look
  const window = [new Date(sinceMs), new Date(toMs)]
  const disabledSince = new Date(toMs - coolDownMs)
  const tools = await db.rows<{ tool_name: string; free: boolean }>('decisions/list-touched-tools', [
    workspaceId,
    ...window,
    'suppress_dead',
    disabledSince,
  ])
  if (tools.length === 0) return []
  const toolNames = tools.map((tool) => tool.tool_name)
  const candidates = await weighSubjects(db, look, toolNames, disabledSince)
  for (const { tool_name: toolName, free } of inTurn(tools, toMs)) {
    const candidate = free && !isOver(look) ? await weighTool(db, look, toolName) : null
    if (candidate !== null) candidates.push(candidate)
  }
  return candidates
}

/** From another one on with every second, so that those for whom time is short are not always the same. */
function inTurn<T>(all: readonly T[], nowMs: number): T[] {
  const first = Math.floor(nowMs / 1_000) % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

const isOver = ({ untilMs }: Look): boolean => performance.now() > untilMs

async function weighTool(db: Pick<Runner, 'row'>, look: Look, toolName: string): Promise<Candidate | null> {
  const ask = async (runs: number): Promise<ToolSeen | null> =>
    await db.row<ToolSeen>('decisions/weigh-tool', [
      look.workspaceId,
      toolName,
      new Date(look.fromMs),
      new Date(look.toMs),
      runs,
      look.freshnessS,
    ])
  const glance = await ask(runsOfToolAtFirst)
  if (glance === null || glance.consumed === 0 || glance.read > 0) return null
  const seen = glance.cut ? await ask(runsOfTool) : glance
  if (seen === null || seen.consumed < minConsumed || seen.read > 0 || seen.first_at === null) return null
  const { consumed, read } = seen
  const reason = `${consumed} results of the tool were in prompts, and no model used any of them`
  const given = { ...seen, first_at: seen.first_at, trace_ids: seen.trace_ids ?? [] }
  return describe('suppress_dead', look, given, toolName, null, { consumed, read }, reason)
}

/** Null where it is not worth a rule. */
function describe(
  type: DecisionType,
  look: Look,
  seen: Seen,
  toolName: string,
  inputHash: string | null,
  counts: Readonly<Record<string, number>>,
  reason: string,
): Candidate | null {
  const bare = completeConfig({ tool_name: toolName, input_hash: inputHash }, look.freshnessS)
  const expected = expectSavings(seen, look, bare.holdout_rate)
  if (!isWorthwhile(expected)) return null
  const [taskType, another] = seen.task_types ?? []
  const evidence = {
    from: new Date(look.fromMs).toISOString(),
    to: new Date(look.toMs).toISOString(),
    ...counts,
    reusable: seen.reusable,
    agents: seen.agents,
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
  return { type, expected, reason, rivalId: null, config: { ...bare, task_type: named, evidence } }
}
