// HTTP: the agents of a workspace.
import { z } from 'zod'
import { ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { limitParam, offsetParam, uuid, workspaceParams } from '../web/shapes.ts'
import { type AgentRow, agentOut, showAgent } from './agent-shape.ts'
import { resourceNotFound } from './codes.ts'

const path = '/v1/workspaces/{workspace_id}/agents'

type Deps = { readonly db: Database; readonly nowMs: () => number }

export function makeAgentRoutes({ db, nowMs }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag: 'Observability',
      summary: 'List agents',
      description: 'The agents of a workspace, most recent activity first.',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: z.object({ limit: limitParam, offset: offsetParam }),
      status: 200,
      response: z.array(agentOut),
      handle: async ({ params, query }) => {
        const rows = await db.rows<AgentRow>('queries/list-agents', [params.workspace_id, query.limit, query.offset])
        const readAtMs = nowMs()
        return ok(rows.map((row) => showAgent(row, readAtMs)))
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{agent_id}`,
      tag: 'Observability',
      summary: 'Read one agent',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams.extend({ agent_id: uuid }),
      status: 200,
      response: agentOut,
      refusals: resourceNotFound,
      handle: async ({ params }) => {
        const row = await db.row<AgentRow>('queries/find-agent', [params.workspace_id, params.agent_id])
        return row === null ? refuse('absent') : ok(showAgent(row, nowMs()))
      },
    }),
  ]
}
