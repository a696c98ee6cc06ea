// HTTP: the events of a workspace: the list, the tail, and one event with its payload.
import { z } from 'zod'
import { makeKeyedSemaphore } from '../../base/keyed-semaphore.ts'
import { ok } from '../../base/outcome.ts'
import { kinds } from '../../event/event.ts'
import type { Database } from '../../store/database.ts'
import { type Cursors, cursorParam } from '../../web/page.ts'
import { type Route, route } from '../../web/route.ts'
import { filterText, intParamOr, limitParam, uuid, workspaceParams } from '../../web/shapes.ts'
import { limited } from '../../web/shares.ts'
import { paging, resourceNotFound } from '../codes.ts'
import { eventIdParam, traceIdParam } from '../id-shapes.ts'
import { nextCursorOut } from '../traces/trace-shape.ts'
import { makeWindowCheck, windowFields } from '../window.ts'
import { eventDetailOut, showEventDetail } from './event-detail-shape.ts'
import { eventOut, showEvent } from './event-shape.ts'
import { findEvent } from './find-event.ts'
import { listEvents } from './list-events.ts'
import { type Commits, tailEvents } from './tail-events.ts'

const path = '/v1/workspaces/{workspace_id}/events'

const filterFields = {
  agent_id: uuid.optional(),
  trace_id: traceIdParam.optional(),
  kind: z.enum(kinds).optional(),
  status: z.enum(['ok', 'error']).optional(),
  model: filterText.optional(),
  tool_name: filterText.optional(),
}

const listQuery = z.object({ ...windowFields, ...filterFields, limit: limitParam, cursor: cursorParam.optional() })

const tailQuery = z.object({
  ...filterFields,
  cursor: cursorParam.optional(),
  wait: intParamOr(0, 0, 25).meta({ description: 'Seconds to wait for events while there are none' }),
  limit: intParamOr(200, 1, 200),
})

const eventPageOut = z.object({ items: z.array(eventOut), next_cursor: nextCursorOut }).meta({ id: 'EventPage' })

const tailOut = z
  .object({
    items: z.array(eventOut),
    next_cursor: z.string(),
    skipped: z.number().int().nonnegative().meta({
      description:
        'Number of events, before filters, that were stored after the cursor but can no longer be listed in commit order; list the events to read them',
    }),
  })
  .meta({ id: 'EventTail' })

const listDescription = `Newest first. A cursor fixes the window and the filters; each event that was in the window when \
the first page was read is on exactly one page. One request reads a limited number of events: if few of them match the filters, a page \
can be short or empty and still have a next_cursor.`

const tailDescription = `Events in the order in which they were committed, oldest first. A first call without a cursor \
returns at once, with no items and a cursor for the current position. Commits are listed for an hour: if a cursor is older, \
skipped counts the events that are no longer listed. A cursor from before a database failover is refused with 422: start again without a cursor.`

// Like other reads. A poll of a busy user in a busy workspace may never find both free at the same moment.
const maxTurnWaitMs = 10_000

const tailRefusals = { ...paging, limited }

type Deps = {
  readonly db: Database
  readonly cursors: Cursors
  readonly commits: Commits
  readonly nowMs: () => number
}

export function makeEventRoutes(given: Deps): Route[] {
  // A commit wakes all polls of its workspace at once, so any number may wait.
  const turns = makeKeyedSemaphore(1, Number.POSITIVE_INFINITY, maxTurnWaitMs, 429)
  const deps = { ...given, turns }
  return [
    route({
      method: 'GET',
      path,
      tag: 'Observability',
      summary: 'List events',
      description: listDescription,
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: listQuery.superRefine(...makeWindowCheck(given.nowMs)),
      status: 200,
      response: eventPageOut,
      refusals: paging,
      handle: async ({ params, query }) => {
        const { from_time, to_time, limit, cursor, ...filters } = query
        const workspaceId = params.workspace_id
        const listed = await listEvents(deps, { workspaceId, filters, window: { from_time, to_time }, limit, cursor })
        if (!listed.ok) return listed
        return ok({ items: listed.value.rows.map(showEvent), next_cursor: listed.value.nextCursor })
      },
    }),
    // Registered before the single event, whose path would match this one too.
    route({
      method: 'GET',
      path: `${path}/tail`,
      tag: 'Observability',
      summary: 'Follow events as they are committed',
      description: tailDescription,
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: tailQuery,
      status: 200,
      response: tailOut,
      refusals: tailRefusals,
      polls: true,
      handle: async ({ who, params, query, request }) => {
        const { cursor, wait, limit, ...filters } = query
        const { signal } = request
        const told = await tailEvents(deps, {
          userId: who.userId,
          workspaceId: params.workspace_id,
          filters,
          cursor,
          limit,
          waitMs: wait * 1_000,
          signal: signal(),
        })
        if (!told.ok) return told
        const { rows, nextCursor, skipped } = told.value
        return ok({ items: rows.map(showEvent), next_cursor: nextCursor, skipped })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{event_id}`,
      tag: 'Observability',
      summary: 'Read one event',
      description: 'The event with its attributes and with the content that the content mode of the workspace stores.',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams.extend({ event_id: eventIdParam }),
      status: 200,
      response: eventDetailOut,
      refusals: resourceNotFound,
      handle: async ({ params }) => {
        const found = await findEvent(deps, { workspaceId: params.workspace_id, ...params.event_id })
        return found.ok ? ok(showEventDetail(found.value.row, found.value.stored)) : found
      },
    }),
  ]
}
