// Creates decisions in the state proposed, with the first entry of their audit trail.
import { Outage } from '../base/fault.ts'
import { makeUuidV7 } from '../base/ids.ts'
import type { Tx } from '../store/database.ts'
import type { DecisionConfig, DecisionType } from './config.ts'
import type { DecisionRow } from './decision-shape.ts'
import { nameTaskType } from './task-types.ts'

export type Proposal = {
  readonly workspaceId: string
  readonly type: DecisionType
  readonly config: DecisionConfig
  readonly actor: 'gate' | 'user'
  readonly userId?: string | undefined
  readonly reason?: string | undefined
}

/**
 * Creates a decision. A subject (type, tool, input, agent; two versions of a tool are one subject here) has at most one live decision: if
 * there is one, it is returned and nothing is written. Throws Outage if another decision with the subject is created and disabled
 * meanwhile. One to three indexed statements, and those that name the task type.
 */
export async function createDecision(
  tx: Tx,
  proposal: Proposal,
): Promise<{ readonly created: boolean; readonly row: DecisionRow }> {
  const { workspaceId, type, config, actor, userId, reason } = proposal
  const { tool_name: toolName, input_hash: inputHash, agent_id: agentId, task_type: taskType } = config
  const subject = [workspaceId, type, toolName, inputHash, agentId]
  const living = await tx.row<DecisionRow>('decisions/find-living', subject)
  if (living !== null) return { created: false, row: living }
  const taskTypeId = taskType === null ? null : await nameTaskType(tx, workspaceId, taskType)
  const trail = [makeUuidV7(), actor, userId ?? null, reason ?? null]
  const values = [...subject, makeUuidV7(), taskTypeId, config, ...trail, config.tool_version]
  const row = await tx.row<DecisionRow>('decisions/insert', values)
  if (row !== null) return { created: true, row }
  // Another transaction created one first, and has committed.
  const first = await tx.row<DecisionRow>('decisions/find-living', subject)
  if (first === null)
    throw new Outage('limit', 'another decision with the same subject was created and disabled at the same time')
  return { created: false, row: first }
}
