// HTTP routes that read the decisions of a workspace and their audit trails.
import { z } from 'zod'
import { ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { filterText, limitParam, offsetParam, uuid, workspaceParams } from '../web/shapes.ts'
import { decisionNotFound } from './codes.ts'
import { type DecisionRow, decisionOut, showDecision } from './decision-shape.ts'
import { listDecisions } from './list.ts'
import { decisionSummaryOut, summarizeDecisions } from './summarize.ts'
import { showTransition, type TransitionRow, transitionOut } from './trail.ts'

const path = '/v1/workspaces/{workspace_id}/decisions'
const tag = 'Decisions'
const decisionParams = workspaceParams.extend({ decision_id: uuid })

const listQuery = z.object({
  type: filterText.optional(),
  state: filterText.optional(),
  agent_id: uuid.optional(),
  tool_name: filterText.optional(),
  limit: limitParam,
  offset: offsetParam,
})

const trailQuery = z.object({
  order: z.enum(['oldest', 'newest']).default('oldest').meta({ description: 'Which entries come first' }),
  limit: limitParam,
  offset: offsetParam,
})

export function makeDecisionReadRoutes(deps: { readonly db: Database }): Route[] {
  const { db } = deps
  return [
    route({
      method: 'GET',
      path,
      tag,
      summary: 'List decisions',
      description: 'Most recently changed first. Decisions in every state are listed unless type or state filter them.',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: listQuery,
      status: 200,
      response: z.array(decisionOut),
      handle: async ({ params, query }) => {
        const { type, state, limit, offset } = query
        const filters = { type, state, agentId: query.agent_id, toolName: query.tool_name }
        const rows = await listDecisions(deps, { workspaceId: params.workspace_id, ...filters, limit, offset })
        return ok(rows.map(showDecision))
      },
    }),
    route({
      method: 'GET',
      path: `${path}/summary`,
      tag,
      summary: 'Count decisions by state and type',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      status: 200,
      response: decisionSummaryOut,
      handle: async ({ params }) => ok(await summarizeDecisions(db, params.workspace_id)),
    }),
    route({
      method: 'GET',
      path: `${path}/{decision_id}`,
      tag,
      summary: 'Read one decision',
      auth: 'session',
      role: 'viewer',
      params: decisionParams,
      status: 200,
      response: decisionOut,
      refusals: decisionNotFound,
      handle: async ({ params }) => {
        const row = await db.row<DecisionRow>('decisions/find', [params.workspace_id, params.decision_id])
        return row === null ? refuse('unknown') : ok(showDecision(row))
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{decision_id}/transitions`,
      tag,
      summary: 'List the audit trail of a decision',
      description: 'Oldest first unless order says otherwise. Entries are never changed or removed.',
      auth: 'session',
      role: 'viewer',
      params: decisionParams,
      query: trailQuery,
      status: 200,
      response: z.array(transitionOut),
      refusals: decisionNotFound,
      handle: async ({ params, query }) => {
        const ids = [params.workspace_id, params.decision_id]
        if ((await db.row('decisions/find', ids)) === null) return refuse('unknown')
        const statement = query.order === 'newest' ? 'decisions/list-newest-transitions' : 'decisions/list-transitions'
        const rows = await db.rows<TransitionRow>(statement, [...ids, query.limit, query.offset])
        return ok(rows.map(showTransition))
      },
    }),
  ]
}
