// Floor 3. HTTP: the decisions of a workspace.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { filterText, limitParam, offsetParam, uuid, workspaceParams } from '../web/shapes.ts'
import { decisionOut, showDecision } from './decision-shape.ts'
import { listDecisions } from './list.ts'

const listQuery = z.object({
  type: filterText.optional(),
  state: filterText.optional(),
  agent_id: uuid.optional(),
  tool_name: filterText.optional(),
  limit: limitParam,
  offset: offsetParam,
})

export function makeDecisionRoutes(deps: { readonly db: Database }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspace_id}/decisions',
      tag: 'Decisions',
      summary: 'List decisions',
      description: 'Most recently changed first. The whole lifecycle is listed unless type or state narrow it.',
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
  ]
}
