// Floor 3. The part of a decision's life that is measured: what it is about, from when to when, and by what bounds.
import type { Runner } from '../../store/database.ts'
import { completeConfig, type DecisionConfig } from '../config.ts'
import type { GateBounds } from '../gate/judge.ts'
import type { State } from '../lifecycle.ts'

export const phaseNames = ['shadow', 'active'] as const
export type PhaseName = (typeof phaseNames)[number]

/** A decision as the gate reads it; times in Unix microseconds, cut to them. */
export type MeasuredRow = {
  readonly id: string
  readonly workspace_id: string
  readonly type: string
  readonly state: State
  readonly tool_name: string
  readonly tool_version: string | null
  readonly input_hash: string | null
  readonly agent_id: string | null
  readonly config: Record<string, unknown>
  readonly default_freshness_s: number
  /** Active without a proof, because a user wanted it. */
  readonly forced: boolean
  readonly proven: boolean
  /** What SDKs are told, see `Serves`. */
  readonly inputs: readonly string[] | null
  readonly served_freshness_s: number | null
  readonly inputs_changed_us: number | null
  readonly doubted_us: number | null
  /** The rules leave out inputs that were invalidated lately; some of them come back. */
  readonly readmits_inputs: boolean
  readonly shadow_us: number | null
  readonly activated_us: number | null
  readonly disabled_us: number | null
  readonly watch_us: number | null
  readonly shadow_samples: number
  readonly shadow_match_rate: number | null
  readonly score: Record<string, unknown> | null
  /** Another one as soon as the decision was moved or measured. */
  readonly version: string
}

/** Executions of a rule in a stretch of time. */
export type Subject = {
  readonly workspaceId: string
  readonly type: string
  readonly toolName: string
  readonly inputHash: string | null
  readonly agentId: string | null
  readonly freshnessS: number
}

export type MeasuredPhase = {
  readonly name: PhaseName
  readonly subject: Subject
  readonly bounds: GateBounds
  readonly config: DecisionConfig
  readonly freshnessS: number
  readonly beganUs: number
  /** Not included. */
  readonly endedUs: number
}

/** The end of a phase that lasts: later than any event. */
export const openEndUs = 253_402_300_799_000_000

/** What the gate knows of a decision; null where the workspace has none such. */
export async function findMeasured(
  db: Pick<Runner, 'row'>,
  workspaceId: string,
  decisionId: string,
): Promise<MeasuredRow | null> {
  return await db.row<MeasuredRow>('decisions/find-measured', [workspaceId, decisionId])
}

/** The phase of that name in the decision's present or last run through the lifecycle; null where there was none. */
export function phaseOf(row: MeasuredRow, name: PhaseName): MeasuredPhase | null {
  const { shadow_us: shadowUs, activated_us: activatedUs } = row
  if (shadowUs === null) return null
  // One of an earlier run ended when the decision came back to shadow.
  const activeUs = activatedUs !== null && activatedUs >= shadowUs ? activatedUs : null
  if (name === 'shadow') return makePhase(row, name, shadowUs, activeUs ?? endOf(row))
  return activeUs === null ? null : makePhase(row, name, activeUs, endOf(row))
}

const endOf = ({ state, disabled_us: disabledUs }: MeasuredRow): number =>
  state === 'disabled' ? (disabledUs ?? openEndUs) : openEndUs

/** The whole of the run, from its shadow on; null where there was none. */
export const runOf = (row: MeasuredRow): MeasuredPhase | null =>
  row.shadow_us === null ? null : makePhase(row, 'shadow', row.shadow_us, endOf(row))

/** The phase that runs, or ran last. */
export const latestPhaseOf = (row: MeasuredRow): MeasuredPhase | null =>
  phaseOf(row, 'active') ?? phaseOf(row, 'shadow')

/** The config of a decision, complete. */
export const configOf = (row: MeasuredRow): DecisionConfig =>
  completeConfig({ ...row.config, tool_name: row.tool_name }, row.default_freshness_s)

function makePhase(row: MeasuredRow, name: PhaseName, beganUs: number, endedUs: number): MeasuredPhase {
  const { tool_name: toolName, input_hash: inputHash, agent_id: agentId } = row
  const config = configOf(row)
  const freshnessS = config.freshness_s
  const subject = { workspaceId: row.workspace_id, type: row.type, toolName, inputHash, agentId, freshnessS }
  const bounds = { floor: config.floor, alpha: config.alpha, minSamples: config.min_samples }
  return { name, subject, bounds, config, freshnessS, beganUs, endedUs }
}
