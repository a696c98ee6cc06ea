// Reads the usage record of a workspace for one month.
import type { Database } from '../store/database.ts'
import { readPlan } from '../workspaces/plans.ts'
import { type Period, readDate } from './period.ts'

type Row = {
  plan: string
  accepted: number
  dropped_quota: number
  dropped_agent_cap: number
  agents: number
  settled_agents: number
}

export type UsageRecord = {
  readonly plan: string
  readonly accepted: number
  readonly droppedQuota: number
  readonly droppedAgentCap: number
  /** Null: unlimited. */
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** Number of agents that count towards the cap now, regardless of the period. */
  readonly agents: number
  /** The events of the month have reached the quota. */
  readonly quotaExceeded: boolean
}

/** Returns null if the workspace does not exist. */
export async function readUsageRecord(
  { db }: { readonly db: Database },
  workspaceId: string,
  period: Period,
): Promise<UsageRecord | null> {
  const row = await db.row<Row>('usage/find-month', [workspaceId, readDate(period.start)])
  if (row === null) return null
  const { name, eventQuota, agentCap } = readPlan(row.plan)
  return {
    plan: name,
    accepted: row.accepted,
    droppedQuota: row.dropped_quota,
    droppedAgentCap: row.dropped_agent_cap,
    eventQuota,
    agentCap,
    agents: countAgents(row, agentCap),
    quotaExceeded: eventQuota !== null && row.accepted >= eventQuota,
  }
}

/** Returns the number of agents with a slot of the cap. Other agents with which traces were settled also count while slots are left. */
const countAgents = ({ agents, settled_agents: settled }: Row, cap: number | null): number =>
  Math.max(agents, Math.min(agents + settled, cap ?? Number.POSITIVE_INFINITY))
