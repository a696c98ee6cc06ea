// HTTP: the export of the events of a workspace.
import { z } from 'zod'
import { makeDutyCycle } from '../../base/duty-cycle.ts'
import { ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { type Cursors, cursorInvalid, cursorParam } from '../../web/page.ts'
import { openRateLimit } from '../../web/rate-limit.ts'
import { type ParameterFault, type Route, streamRoute } from '../../web/route.ts'
import { ifValid, workspaceParams } from '../../web/shapes.ts'
import { limited } from '../../web/shares.ts'
import { allowExport } from '../../workspaces/allow-export.ts'
import { workspaceRoleRefusals } from '../../workspaces/codes.ts'
import { readWorkspaceRole } from '../../workspaces/workspace-role.ts'
import { eventDetailOut } from '../events/event-detail-shape.ts'
import { findWindowFault, makeWindowCheck, showTimeUs, windowFaults, windowFields } from '../window.ts'
import { openExport } from './export-events.ts'
import { openExportSlots } from './export-slots.ts'

/** `db` reads events, `control` reads roles. */
export type ExportRouteDeps = {
  readonly db: Database
  readonly control: Database
  readonly cursors: Cursors
  readonly nowMs: () => number
}

const cursorHeader = 'x-tracewright-cursor'
const startsPerSecond = 5
const workShare = 0.5

const lineOut = eventDetailOut
  .extend({
    cursor: z.string().meta({ description: `Send it in the header \`${cursorHeader}\` to continue after this event` }),
  })
  .meta({ id: 'ExportedEvent', description: 'One line of an export' })

const windowRefusal = (message: string): ParameterFault => ({
  status: 422,
  item: { loc: ['query', 'from_time'], msg: message, type: 'value_error', ctx: { error: message } },
})

const goOn =
  'The cursor of the last complete line, of the response header, or of the trailer: the export continues behind it. Send it with the same window or with none'

const refusals = {
  ...workspaceRoleRefusals,
  window_empty: windowRefusal(windowFaults.window_empty),
  window_long: windowRefusal(windowFaults.window_long),
  cursor_invalid: { ...cursorInvalid, item: { ...cursorInvalid.item, loc: ['header', cursorHeader] } },
  limited,
} as const

const description = `Requires the role admin or above, and is recorded in the audit log. One line of JSON for each event, oldest first, \
gzip if the client accepts it. The export contains exactly the events of the window that were committed when it began and that retention does not remove \
meanwhile, each as it is when its page is read. To resume after a lost connection, drop an incomplete last line, and send the cursor of the \
last complete line in the header \`${cursorHeader}\`; if there is no complete line, send the cursor of the response header. No event is then lost or sent twice, \
even if events are stored meanwhile. The trailer \`${cursorHeader}\` is sent only after all events: a request with it exports the events of the same window that were \
committed since, including those that start earlier. A cursor is valid for a day. A cursor from before a database failover that lost transactions is refused with 422. \
A front runs at most two exports of a workspace, two of a user and four in total at a time; beyond that the response is 429 or 503 with Retry-After.`

export function makeExportRoute({ db, control, cursors, nowMs }: ExportRouteDeps): Route {
  const [checkWindow] = makeWindowCheck(nowMs)
  const slots = openExportSlots()
  const rateLimit = openRateLimit(startsPerSecond)
  // No abort signal is needed: when the service stops, each export ends with its connection.
  const dutyCycle = makeDutyCycle(workShare, new AbortController().signal)
  return streamRoute({
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/export',
    tag: 'Observability',
    summary: 'Export the events of a workspace',
    description,
    auth: 'session',
    role: 'admin',
    params: workspaceParams,
    // A window up to now is checked in the handler, which knows whether a cursor pins it.
    query: z.object(windowFields).superRefine((given, ctx) => {
      if (given.to_time !== undefined) checkWindow(given, ctx)
    }, ifValid),
    requestHeaders: z.object({ [cursorHeader]: cursorParam.optional().meta({ description: goOn }) }),
    responseHeaders: { [cursorHeader]: 'The cursor of the place where this export begins' },
    contentType: 'application/x-ndjson',
    response: lineOut,
    refusals,
    handle: async ({ who, params, query, request }) => {
      const { workspace_id: workspaceId } = params
      await rateLimit.consume(workspaceId)
      const cursor = request.header(cursorHeader) || undefined
      const fault = cursor === undefined ? findWindowFault(query, nowMs()) : null
      if (fault !== null) return refuse(fault)
      const opened = await openExport({ db, cursors, nowMs, dutyCycle }, { workspaceId, window: query, cursor })
      if (!opened.ok) return opened
      const { window, parts, endCursor, cursor: beginCursor } = opened.value
      const release = slots.take(workspaceId, who.userId)
      const detail = {
        from_time: showTimeUs(window.fromUs),
        to_time: showTimeUs(window.toUs),
        resumed: cursor !== undefined,
      }
      let isAnswered = false
      try {
        const allowed = await allowExport(control, { who, workspaceId, from: request, detail })
        if (!allowed.ok) return allowed
        isAnswered = true
      } finally {
        if (!isAnswered) release()
      }
      const isAllowed = async (): Promise<boolean> => (await readWorkspaceRole(control, who, workspaceId, 'admin')).ok
      return ok({
        headers: { [cursorHeader]: beginCursor },
        parts: parts(isAllowed),
        trailers: () => ({ [cursorHeader]: endCursor() ?? '' }),
        close: release,
      })
    },
  })
}
