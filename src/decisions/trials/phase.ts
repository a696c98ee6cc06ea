// The part of a decision's life that is measured: what it is about, from when to when.
import type { Runner } from '../../store/database.ts'
import { completeConfig, type DecisionConfig } from '../config.ts'
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
  readonly default_holdout_rate: number
  readonly default_floor: number
  readonly default_alpha: number
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
  /** A user took it from active to shadow: the gate does not activate it. */
  readonly is_held_by_user: boolean
  readonly shadow_us: number | null
  readonly activated_us: number | null
  readonly disabled_us: number | null
  readonly shadow_samples: number
  readonly shadow_match_rate: number | null
  readonly score: Record<string, unknown> | null
  /** Another one as soon as the decision was moved or measured. */
  readonly version: string
}

/** Executions that a rule matches. */
export type Subject = {
  readonly workspaceId: string
  readonly type: string
  readonly toolName: string
  readonly inputHash: string | null
  readonly agentId: string | null
}

/** A run of a decision through the lifecycle, from its shadow on. */
export type MeasuredRun = {
  readonly subject: Subject
  readonly beganUs: number
  /** Not included. */
  readonly endedUs: number
}

/** The end of a run that lasts: later than any event. */
export const openEndUs = 253_402_300_799_000_000

/** What the gate knows of a decision; null where the workspace has none such. */
export async function findMeasured(
  db: Pick<Runner, 'row'>,
  workspaceId: string,
  decisionId: string,
): Promise<MeasuredRow | null> {
  return await db.row<MeasuredRow>('decisions/find-measured', [workspaceId, decisionId])
}

/** The present or last run; null where there was none. */
export function runOf(row: MeasuredRow): MeasuredRun | null {
  if (row.shadow_us === null) return null
  const { workspace_id: workspaceId, type, tool_name: toolName, input_hash: inputHash, agent_id: agentId } = row
  const endedUs = row.state === 'disabled' ? (row.disabled_us ?? openEndUs) : openEndUs
  return { subject: { workspaceId, type, toolName, inputHash, agentId }, beganUs: row.shadow_us, endedUs }
}

/** When a decision that was disabled came back to shadow, where it is now; null: it was not disabled. A verdict on before would only be given again. */
export const cameBackUs = ({ state, shadow_us, disabled_us }: MeasuredRow): number | null =>
  state === 'shadow' && shadow_us !== null && disabled_us !== null && disabled_us <= shadow_us ? shadow_us : null

/** The config of a decision, complete. */
export const configOf = (row: MeasuredRow): DecisionConfig =>
  completeConfig(
    { ...row.config, tool_name: row.tool_name },
    {
      freshness_s: row.default_freshness_s,
      holdout_rate: row.default_holdout_rate,
      floor: row.default_floor,
      alpha: row.default_alpha,
    },
  )
