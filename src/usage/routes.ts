// HTTP routes of usage: what a workspace sent, what was stored of it, and what its plan allows.
import { z } from 'zod'
import { ok, refuse } from '../base/outcome.ts'
import type { RejectReason } from '../otlp/reject.ts'
import type { Database } from '../store/database.ts'
import { type RefusalTable, type Route, route } from '../web/route.ts'
import { dateTimeOut, uuidOut, workspaceParams } from '../web/shapes.ts'
import { chartUsage, type UsageDay } from './chart-usage.ts'
import { periodParam, readDate, resolvePeriod } from './period.ts'
import { readUsageRecord } from './read-usage.ts'

const path = '/v1/workspaces/{workspace_id}/usage'
const count = z.number().int().nonnegative()
const query = z.object({
  period: periodParam.optional().meta({ description: 'A month in UTC. Default: the current one' }),
})
const common = {
  method: 'GET',
  tag: 'Usage',
  auth: 'session',
  role: 'viewer',
  params: workspaceParams,
  query,
  status: 200,
} as const

// The workspace was deleted between the check of the membership and the read.
const gone: RefusalTable<'workspace_absent'> = { workspace_absent: { status: 404, detail: 'Not found' } }

const usageOut = z
  .object({
    workspace_id: uuidOut,
    plan: z.string().meta({ examples: ['team'] }),
    period_start: dateTimeOut,
    period_end: dateTimeOut,
    accepted_events: count,
    dropped_events_quota: count.meta({
      description: 'Spans that were dropped because the event quota was used up; a span that is sent again counts once',
    }),
    dropped_events_agent_cap: count.meta({
      description:
        'Number of dropped spans of agents beyond the cap; a span that is sent again counts once. Spans are kept if their trace has stored spans, or if they name no agent and their parent has not arrived',
    }),
    event_quota: count.nullable().meta({ description: 'Events a month; null: unlimited' }),
    agent_cap: count.nullable().meta({ description: 'Agents; null: unlimited' }),
    agents: count.meta({
      description:
        'Agents that currently count towards the cap. A provisional agent, assumed for spans whose parent has not arrived, counts only after a trace with it is settled, and only if the cap is not reached',
    }),
    quota_exceeded: z.boolean(),
  })
  .meta({ id: 'Usage', description: 'The usage record of one month' })

const dayOut = z
  .object({
    time: dateTimeOut,
    stored: count,
    duplicate: count,
    rejected: count,
    dropped_quota: count.meta({ description: 'A span that is sent again is dropped again' }),
    dropped_agent_cap: count.meta({ description: 'A span that is sent again is dropped again' }),
    dropped: count.meta({ description: 'Sum of dropped_quota and dropped_agent_cap' }),
  })
  .meta({ id: 'UsageDay', description: 'The outcomes of the spans that were received on one day (UTC)' })

const usageSeriesOut = z
  .object({ workspace_id: uuidOut, period_start: dateTimeOut, period_end: dateTimeOut, points: z.array(dayOut) })
  .meta({ id: 'UsageTimeseries', description: 'All days of the month; each received span has exactly one outcome' })

export const rejectionOut = z
  .object({
    reason: z.string().meta({ examples: ['invalid_trace_id' satisfies RejectReason] }),
    count,
    last_seen: dateTimeOut,
    example: z.string().meta({ description: 'The message of the last span that was rejected for this reason' }),
  })
  .meta({ id: 'Rejection' })

type RejectionRow = { reason: string; count: number; last_seen: Date; example: string }

/** `nowMs`: Unix ms, by the clock that events are counted with. */
export function makeUsageRoutes(deps: { readonly db: Database; readonly nowMs: () => number }): Route[] {
  return [
    route({
      ...common,
      path,
      summary: 'Read the usage record',
      response: usageOut,
      refusals: gone,
      handle: async ({ params, query }) => {
        const period = resolvePeriod(query.period, deps.nowMs())
        const usage = await readUsageRecord(deps, params.workspace_id, period)
        if (usage === null) return refuse('workspace_absent')
        return ok({
          workspace_id: params.workspace_id,
          plan: usage.plan,
          period_start: period.start.toISOString(),
          period_end: period.end.toISOString(),
          accepted_events: usage.accepted,
          dropped_events_quota: usage.droppedQuota,
          dropped_events_agent_cap: usage.droppedAgentCap,
          event_quota: usage.eventQuota,
          agent_cap: usage.agentCap,
          agents: usage.agents,
          quota_exceeded: usage.quotaExceeded,
        })
      },
    }),
    route({
      ...common,
      path: `${path}/timeseries`,
      summary: 'Get the outcomes of received spans by day',
      response: usageSeriesOut,
      handle: async ({ params, query }) => {
        const period = resolvePeriod(query.period, deps.nowMs())
        const days = await chartUsage(deps, params.workspace_id, period)
        return ok({
          workspace_id: params.workspace_id,
          period_start: period.start.toISOString(),
          period_end: period.end.toISOString(),
          points: days.map(showDay),
        })
      },
    }),
    route({
      ...common,
      path: `${path}/rejections`,
      summary: 'List why spans were rejected',
      description: 'The reasons of the month, the most frequent first.',
      response: z.array(rejectionOut),
      handle: async ({ params, query }) => {
        const { start } = resolvePeriod(query.period, deps.nowMs())
        const month = readDate(start)
        const rows = await deps.db.rows<RejectionRow>('usage/list-rejections', [params.workspace_id, month])
        return ok(rows.map(showRejection))
      },
    }),
  ]
}

const showDay = ({ start, ...outcomes }: UsageDay): z.input<typeof dayOut> => ({
  time: start.toISOString(),
  ...outcomes,
  dropped: outcomes.dropped_quota + outcomes.dropped_agent_cap,
})

const showRejection = ({
  reason,
  count,
  last_seen: lastSeen,
  example,
}: RejectionRow): z.input<typeof rejectionOut> => ({
  reason,
  count,
  last_seen: lastSeen.toISOString(),
  example,
})
