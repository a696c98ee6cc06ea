// The measured part of the life of a decision: its subject, its start and its end.
import type { Runner } from '../../store/database.ts'
import { completeConfig, type DecisionConfig } from '../config.ts'
import type { State } from '../lifecycle.ts'

export const phaseNames = ['shadow', 'active'] as const
export type PhaseName = (typeof phaseNames)[number]

/** Maximum number of right and of wrong trials of a phase that are kept to be shown. */
export const maxKeptTrials = 1_000

/** A decision as the gate reads it. Times are in Unix microseconds. */
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
  /** Active without a proof, at the request of a user. */
  readonly forced: boolean
  readonly proven: boolean
  /** What SDKs receive, see `Serves`. */
  readonly inputs: readonly string[] | null
  readonly served_freshness_s: number | null
  readonly inputs_changed_us: number | null
  readonly doubted_us: number | null
  /**
   * The rules leave out an input for two minutes after its invalidation. True if that time has ended for an input since the last
   * measurement, so that the input may be listed again.
   */
  readonly readmits_inputs: boolean
  /** A user moved the decision from active to shadow, so the gate does not activate it. */
  readonly is_held_by_user: boolean
  readonly shadow_us: number | null
  readonly activated_us: number | null
  readonly disabled_us: number | null
  readonly shadow_samples: number
  readonly shadow_match_rate: number | null
  readonly score: Record<string, unknown> | null
  /** Changes whenever the decision is moved or measured. */
  readonly version: string
}

/** The executions that a rule matches. */
export type Subject = {
  readonly workspaceId: string
  readonly type: string
  readonly toolName: string
  /** Null: the tool declares no version. A version is measured by its own executions alone. */
  readonly toolVersion: string | null
  readonly inputHash: string | null
  readonly agentId: string | null
}

/** A run of a decision through the lifecycle, from the start of its shadow. */
export type MeasuredRun = {
  readonly subject: Subject
  readonly beganUs: number
  /** Exclusive. */
  readonly endedUs: number
}

/** The end of a run that has not ended: later than any event. */
export const openEndUs = 253_402_300_799_000_000

/** Returns what the gate needs to know of a decision; null if the workspace has no such decision. */
export async function findMeasured(
  db: Pick<Runner, 'row'>,
  workspaceId: string,
  decisionId: string,
): Promise<MeasuredRow | null> {
  return await db.row<MeasuredRow>('decisions/find-measured', [workspaceId, decisionId])
}

/** Returns the present or the last run; null if there was none. */
export function runOf(row: MeasuredRow): MeasuredRun | null {
  if (row.shadow_us === null) return null
  const subject = {
    workspaceId: row.workspace_id,
    type: row.type,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    inputHash: row.input_hash,
    agentId: row.agent_id,
  }
  const endedUs = row.state === 'disabled' ? (row.disabled_us ?? openEndUs) : openEndUs
  return { subject, beganUs: row.shadow_us, endedUs }
}

/**
 * Returns the time at which a disabled decision came back to shadow, if it is in shadow now; otherwise null. Evidence from before that time
 * would only lead to the same verdict again.
 */
export const cameBackUs = ({ state, shadow_us, disabled_us }: MeasuredRow): number | null =>
  state === 'shadow' && shadow_us !== null && disabled_us !== null && disabled_us <= shadow_us ? shadow_us : null

/** Returns the complete config of a decision. */
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
