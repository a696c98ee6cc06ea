// Weighs a rule that is measured in shadow again, so that what it is expected to save is of the same executions as its evidence.
import type { Runner } from '../../store/database.ts'
import { configOf, type MeasuredRow } from '../trials/phase.ts'
import type { Worth } from './candidate.ts'
import { lookBackMs } from './expect-savings.ts'
import { reweighSubject } from './weigh-subjects.ts'
import { reweighUnread } from './weigh-unread.ts'

/**
 * Returns what the executions of the last days show; null if nothing of the rule ran in them, or if it is not about all inputs of one agent.
 * `isDue`: more executions were measured than last time. Without them, and for an active rule, whose served calls leave no executions, the
 * last result stays. At most one statement.
 */
export async function reweigh(
  db: Pick<Runner, 'rows' | 'row'>,
  row: MeasuredRow,
  nowMs: number,
  isDue: boolean,
): Promise<Worth | null> {
  const last = (row.score?.['worth'] ?? null) as Worth | null
  const { agent_id, tool_name, tool_version, input_hash } = row
  if (row.state !== 'shadow' || agent_id === null || input_hash !== null || (last !== null && !isDue)) return last
  const lookBack = { workspaceId: row.workspace_id, fromMs: nowMs - lookBackMs, toMs: nowMs }
  const weighOne = row.type === 'suppress_dead' ? reweighUnread : reweighSubject
  return await weighOne(db, lookBack, { tool_name, tool_version, agent_id }, configOf(row))
}
