// Lists the decisions of a workspace.
import type { Database } from '../store/database.ts'
import type { DecisionRow } from './decision-shape.ts'

export type DecisionQuery = {
  readonly workspaceId: string
  /** Compared exactly. A value that no decision has yields an empty list. */
  readonly type: string | undefined
  readonly state: string | undefined
  readonly agentId: string | undefined
  readonly toolName: string | undefined
  readonly limit: number
  readonly offset: number
}

/** Returns one page, most recently changed first. Decisions in every state are included unless a filter excludes them. */
export async function listDecisions({ db }: { readonly db: Database }, query: DecisionQuery): Promise<DecisionRow[]> {
  const { workspaceId, type, state, agentId, toolName, limit, offset } = query
  const filters = [type ?? null, state ?? null, agentId ?? null, toolName ?? null]
  return await db.rows<DecisionRow>('decisions/list', [workspaceId, ...filters, limit, offset])
}
