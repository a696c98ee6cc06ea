// Replays the calls of a tool that nobody attested: what a rule would have served, had there been one.
import { setImmediate } from 'node:timers/promises'
import { openLadder } from '../../decisions/gate/ladder.ts'
import type { Execution } from '../../decisions/gate/replay.ts'
import type { LadderSettings, Standing } from '../../decisions/gate/verdict.ts'
import { type ExecutionRow, toExecution } from '../../decisions/ladder/execution-row.ts'
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import type { Look } from '../found.ts'

/** One statement reads at most so many executions of a tool. */
const maxExecutions = 20_000
/** The window is chosen for so many: failed calls and an uneven rate still fit. */
const wantedExecutions = 15_000
/** About 20 ms of replay; other work runs in between. */
const sliceExecutions = 5_000

/** The tool, and what one look saw of it. */
export type PlainTool = {
  readonly name: string
  readonly calls: number
  /** Since when those calls were observed. */
  readonly observedFromMs: number
  readonly lastMs: number
  /** Of the workspace. */
  readonly defaults: RuleDefaults
}

export type PlainReplay = {
  /** The agent and the version with the most executions. */
  readonly agentId: string
  readonly toolVersion: string | null
  readonly executions: number
  /** The tool was called by others as well, or in other versions. */
  readonly isOneOfMany: boolean
  /** False: no result came in plain, so none can be compared. */
  readonly isComparable: boolean
  readonly settings: LadderSettings
  readonly standing: Standing
}

type PlainRow = ExecutionRow & { readonly agent_id: string; readonly tool_version: string | null }

/** The newest executions since `fromMs`, about 15,000 of them. One statement. Null: there are none. Throws Outage. */
export async function replayPlain(look: Look, tool: PlainTool, fromMs: number): Promise<PlainReplay | null> {
  const since = Math.max(fromMs, reachBack(tool))
  const window = [new Date(since), new Date(look.nowMs)]
  const values = [look.workspaceId, tool.name, ...window, maxExecutions]
  const subjects = groupBySubject(await look.rows<PlainRow>('findings/read-plain-executions', values))
  const [rows = []] = subjects
  const [first] = rows
  if (first === undefined) return null
  const settings = settingsFor(tool)
  return {
    agentId: first.agent_id,
    toolVersion: first.tool_version,
    executions: rows.length,
    isOneOfMany: subjects.length > 1,
    isComparable: rows.some(({ content_hash: hash, is_error: isError }) => hash !== null && !isError),
    settings,
    standing: await replayInSlices(rows.map(toExecution).sort(byStart), settings),
  }
}

/** When the wanted number of executions began, at the rate that the look saw. */
function reachBack({ calls, observedFromMs, lastMs }: PlainTool): number {
  return calls <= wantedExecutions && observedFromMs === lastMs
    ? Number.NEGATIVE_INFINITY
    : lastMs - ((lastMs - observedFromMs) * wantedExecutions) / calls
}

/** A rule applies to one version, as called by one agent. The one with the most executions first. */
function groupBySubject(rows: readonly PlainRow[]): PlainRow[][] {
  const subjects = Map.groupBy(rows, (row) => JSON.stringify([row.agent_id, row.tool_version]))
  return [...subjects].sort(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1)).map(([, of]) => of)
}

/** As a rule that the gate proposes. */
function settingsFor({ defaults }: PlainTool): LadderSettings {
  const { floor, alpha, holdout_rate: holdoutRate, freshness_s: maxFreshnessS } = defaults
  return { floor, alpha, holdoutRate, maxFreshnessS }
}

const byStart = (a: Execution, b: Execution): number => a.startUs - b.startUs || (a.spanId < b.spanId ? -1 : 1)

async function replayInSlices(executions: readonly Execution[], settings: LadderSettings): Promise<Standing> {
  const ladder = openLadder(settings)
  for (let from = 0; from < executions.length; from += sliceExecutions) {
    if (from > 0) await setImmediate()
    ladder.replay(executions.slice(from, from + sliceExecutions), { servingSinceUs: null })
  }
  return ladder.describe()
}
