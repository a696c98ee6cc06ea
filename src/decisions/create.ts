// New decisions: proposed, with the first line of their audit trail.
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
 * One living decision a subject (type, tool, input, agent; two versions of a tool are one subject here): where there is one, it is given and nothing is written. Where the subject
 * changes hands faster than this can look: Outage. Two or three indexed statements.
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
  // Someone else was first, and has committed.
  const first = await tx.row<DecisionRow>('decisions/find-living', subject)
  if (first === null)
    throw new Outage('another decision with the same subject was created and disabled at the same time')
  return { created: false, row: first }
}
