// Replays the calls of a tool that is not attested: what a rule would have served, had there been one.
import { setImmediate } from 'node:timers/promises'
import { openLadder } from '../../decisions/gate/ladder.ts'
import type { Execution } from '../../decisions/gate/replay.ts'
import type { GateStatus, LadderSettings } from '../../decisions/gate/verdict.ts'
import { type ExecutionRow, toExecution } from '../../decisions/ladder/execution-row.ts'
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import type { ScanContext } from '../detector.ts'

/** Maximum number of executions of a tool that one statement reads. */
const maxExecutions = 20_000
/** Number of executions for which the window is chosen: failed calls and an uneven rate still fit. */
const wantedExecutions = 15_000
/** Number of executions per slice: about 20 ms of replay. Other work runs between slices. */
const sliceExecutions = 5_000

/** The tool, and what one pass observed of it. */
export type PlainTool = {
  readonly name: string
  readonly calls: number
  /** Time since which those calls were observed. */
  readonly observedFromMs: number
  readonly lastMs: number
  /** The rule defaults of the workspace. */
  readonly defaults: RuleDefaults
}

export type PlainReplay = {
  /** The agent and the version with the most executions. */
  readonly agentId: string
  readonly toolVersion: string | null
  readonly executions: number
  /** The tool was also called by other agents or in other versions. */
  readonly isOneOfMany: boolean
  /** False: no result was sent in plain, so none can be compared. */
  readonly isComparable: boolean
  readonly settings: LadderSettings
  readonly standing: GateStatus
}

type PlainRow = ExecutionRow & { readonly agent_id: string; readonly tool_version: string | null }

/** Replays the newest executions since `fromMs`, about 15,000 of them. One statement. Returns null if there are none. Throws Outage. */
export async function replayPlain(scan: ScanContext, tool: PlainTool, fromMs: number): Promise<PlainReplay | null> {
  const since = Math.max(fromMs, reachBack(tool))
  const window = [new Date(since), new Date(scan.nowMs)]
  const values = [scan.workspaceId, tool.name, ...window, maxExecutions]
  const subjects = groupBySubject(await scan.rows<PlainRow>('findings/read-plain-executions', values))
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

/** Returns the time since which the wanted number of executions began, at the observed rate. */
function reachBack({ calls, observedFromMs, lastMs }: PlainTool): number {
  return calls <= wantedExecutions && observedFromMs === lastMs
    ? Number.NEGATIVE_INFINITY
    : lastMs - ((lastMs - observedFromMs) * wantedExecutions) / calls
}

/** Groups executions by version and calling agent, to which a rule applies. The group with the most executions comes first. */
function groupBySubject(rows: readonly PlainRow[]): PlainRow[][] {
  const subjects = Map.groupBy(rows, (row) => JSON.stringify([row.agent_id, row.tool_version]))
  return [...subjects].sort(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1)).map(([, of]) => of)
}

/** Returns the settings of a rule that the gate would propose. */
function settingsFor({ defaults }: PlainTool): LadderSettings {
  const { floor, alpha, holdout_rate: holdoutRate, freshness_s: maxFreshnessS } = defaults
  return { floor, alpha, holdoutRate, maxFreshnessS }
}

const byStart = (a: Execution, b: Execution): number => a.startUs - b.startUs || (a.spanId < b.spanId ? -1 : 1)

async function replayInSlices(executions: readonly Execution[], settings: LadderSettings): Promise<GateStatus> {
  const ladder = openLadder(settings)
  for (let from = 0; from < executions.length; from += sliceExecutions) {
    if (from > 0) await setImmediate()
    ladder.replay(executions.slice(from, from + sliceExecutions), { servingSinceUs: null })
  }
  return ladder.describe()
}
