// HTTP routes of the findings of a workspace.
import { z } from 'zod'
import { ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Cursors, cursorInvalid, cursorParam } from '../web/page.ts'
import { type Route, route } from '../web/route.ts'
import { filterText, limitParam, uuid, workspaceParams } from '../web/shapes.ts'
import { findingNotFound, setStatusRefusals } from './codes.ts'
import { type FindingRow, findingOut, severities, showFinding, statuses } from './finding-shape.ts'
import { findingOrders, listFindings } from './list.ts'
import { setStatus } from './set-status.ts'
import { findingSummaryOut, summarizeFindings } from './summarize.ts'

const tag = 'Findings'
const path = '/v1/workspaces/{workspace_id}/findings'
const findingParams = workspaceParams.extend({ finding_id: uuid })

const listQuery = z.object({
  type: filterText.optional(),
  severity: z.enum(severities).optional(),
  status: z.enum(statuses).optional(),
  agent_id: uuid.optional(),
  tool_name: filterText.optional(),
  order_by: z.enum(findingOrders).default('last_seen').meta({
    description: 'The order is always descending. Findings of equal cost are ordered by severity, highest first',
  }),
  limit: limitParam,
  cursor: cursorParam.optional(),
})

const findingPageOut = z
  .object({
    items: z.array(findingOut),
    next_cursor: z.string().nullable().meta({ description: 'Fetches the next page; null on the last page' }),
  })
  .meta({ id: 'FindingPage' })

export type FindingRouteDeps = {
  /** For reads. */
  readonly db: Database
  /** For changes. */
  readonly control: Database
  readonly cursors: Cursors
}

export function makeFindingRoutes(deps: FindingRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag,
      summary: 'List findings',
      description:
        'The list is live: a finding that is seen again, or whose estimate changes, between two pages can move up.',
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
    route({
      method: 'GET',
      path: `${path}/summary`,
      tag,
      summary: 'Count findings by type, severity and status',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      status: 200,
      response: findingSummaryOut,
      handle: async ({ params }) => ok(await summarizeFindings(deps.db, params.workspace_id)),
    }),
    route({
      method: 'GET',
      path: `${path}/{finding_id}`,
      tag,
      summary: 'Get a finding',
      auth: 'session',
      role: 'viewer',
      params: findingParams,
      status: 200,
      response: findingOut,
      refusals: findingNotFound,
      handle: async ({ params }) => {
        const row = await deps.db.row<FindingRow>('findings/find', [params.workspace_id, params.finding_id])
        return row === null ? refuse('unknown') : ok(showFinding(row))
      },
    }),
    route({
      method: 'PATCH',
      path: `${path}/{finding_id}`,
      tag,
      summary: 'Set the status of a finding',
      description:
        'Requires the role member or above. An acknowledged finding is still updated and stays acknowledged. A resolved finding no longer changes: if the problem is seen again, the service opens a new finding.',
      auth: 'session',
      role: 'member',
      params: findingParams,
      body: z.object({ status: z.enum(statuses) }),
      status: 200,
      response: findingOut,
      refusals: setStatusRefusals,
      handle: async ({ who, params, body }) => {
        const { workspace_id: workspaceId, finding_id: findingId } = params
        const change = { who, workspaceId, findingId, status: body.status }
        const outcome = await setStatus({ db: deps.control }, change)
        return outcome.ok ? ok(showFinding(outcome.value)) : outcome
      },
    }),
  ]
}
