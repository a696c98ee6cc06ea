// HTTP: the traces of a workspace.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { type Cursors, cursorParam } from '../../web/page.ts'
import { type Route, route } from '../../web/route.ts'
import {
  booleanParam,
  filterText,
  intParamOr,
  limitParam,
  positiveNumberParam,
  uuid,
  workspaceParams,
} from '../../web/shapes.ts'
import { paging, resourceNotFound } from '../codes.ts'
import { showEvent } from '../events/event-shape.ts'
import { traceIdParam } from '../id-shapes.ts'
import { makeWindowCheck, windowFields } from '../window.ts'
import { findTrace } from './find-trace.ts'
import { listTraces, traceOrders } from './list-traces.ts'
import { showTrace, traceDetailOut, tracePageOut } from './trace-shape.ts'

const path = '/v1/workspaces/{workspace_id}/traces'

const listQuery = z.object({
  ...windowFields,
  agent_id: uuid.optional(),
  session_id: filterText.optional(),
  status: z.enum(['ok', 'error']).optional(),
  model: filterText.optional().meta({ description: 'Traces that called this model' }),
  tool_name: filterText.optional().meta({ description: 'Traces that called this tool' }),
  min_duration_ms: positiveNumberParam.optional(),
  min_cost_usd: positiveNumberParam.optional(),
  served: booleanParam.optional().meta({ description: 'Traces with (or without) a tool call that was served' }),
  order_by: z.enum(traceOrders).default('start_time').meta({ description: 'The order is always descending' }),
  limit: limitParam,
  cursor: cursorParam.optional(),
})

const listDescription = `Newest first. A cursor fixes the window and the filters. In the order of start_time, each trace that was in the \
window when the first page was read is on exactly one page. One request reads a limited number of traces: if few of them match the \
filters, a page can be short or empty and still have a next_cursor. In the order of duration_ms or cost_usd the list is a live ranking: a \
trace whose rank changes between two pages can be on both or on neither.`

type Deps = { readonly db: Database; readonly cursors: Cursors; readonly nowMs: () => number }

export function makeTraceRoutes(deps: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag: 'Observability',
      summary: 'List traces',
      description: listDescription,
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: listQuery.superRefine(...makeWindowCheck(deps.nowMs)),
      status: 200,
      response: tracePageOut,
      refusals: paging,
      handle: async ({ params, query }) => {
        const { from_time, to_time, order_by: orderBy, limit, cursor, ...filters } = query
        const workspaceId = params.workspace_id
        const listed = await listTraces(deps, {
          workspaceId,
          filters,
          window: { from_time, to_time },
          orderBy,
          limit,
          cursor,
        })
        if (!listed.ok) return listed
        return ok({ items: listed.value.rows.map(showTrace), next_cursor: listed.value.nextCursor })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{trace_id}`,
      tag: 'Observability',
      summary: 'Read one trace',
      description: 'The trace and its spans in the order of their start, one page at a time.',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams.extend({ trace_id: traceIdParam }),
      query: z.object({ limit: intParamOr(1_000, 1, 10_000), cursor: cursorParam.optional() }),
      status: 200,
      response: traceDetailOut,
      refusals: { ...resourceNotFound, ...paging },
      handle: async ({ params, query }) => {
        const found = await findTrace(deps, {
          workspaceId: params.workspace_id,
          traceId: params.trace_id,
          ...query,
          cursor: query.cursor,
        })
        if (!found.ok) return found
        const { trace, spans } = found.value
        return ok({ ...showTrace(trace), spans: spans.rows.map(showEvent), next_cursor: spans.nextCursor })
      },
    }),
  ]
}
