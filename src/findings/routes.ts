// Floor 3. HTTP: the findings of a workspace.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Cursors, cursorInvalid, cursorParam } from '../web/page.ts'
import { type Route, route } from '../web/route.ts'
import { filterText, limitParam, uuid, workspaceParams } from '../web/shapes.ts'
import { findingOut, severities, showFinding, statuses } from './finding-shape.ts'
import { findingOrders, listFindings } from './list.ts'

const listQuery = z.object({
  type: filterText.optional(),
  severity: z.enum(severities).optional(),
  status: z.enum(statuses).optional(),
  agent_id: uuid.optional(),
  tool_name: filterText.optional(),
  order_by: z.enum(findingOrders).default('last_seen').meta({ description: 'Always descending' }),
  limit: limitParam,
  cursor: cursorParam.optional(),
})

const findingPageOut = z
  .object({
    items: z.array(findingOut),
    next_cursor: z.string().nullable().meta({ description: 'Fetches the next page; null on the last' }),
  })
  .meta({ id: 'FindingPage' })

export function makeFindingRoutes(deps: { readonly db: Database; readonly cursors: Cursors }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspace_id}/findings',
      tag: 'Findings',
      summary: 'List findings',
      description: 'The list is live: a finding that is seen again, or priced anew, between two pages moves up.',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: listQuery,
      status: 200,
      response: findingPageOut,
      refusals: { cursor_invalid: cursorInvalid },
      handle: async ({ params, query }) => {
        const { order_by: orderBy, limit, cursor, ...filters } = query
        const listed = await listFindings(deps, { workspaceId: params.workspace_id, filters, orderBy, limit, cursor })
        if (!listed.ok) return listed
        return ok({ items: listed.value.rows.map(showFinding), next_cursor: listed.value.nextCursor })
      },
    }),
  ]
}
