// HTTP: the stats of a workspace: summary, time series, breakdown.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import { kinds } from '../../event/event.ts'
import { type Route, route } from '../../web/route.ts'
import { filterText, intParamOr, uuid, workspaceParams } from '../../web/shapes.ts'
import { timeZoneParam } from '../../web/time-zone.ts'
import { charting } from '../codes.ts'
import { makeWindowCheck, resolveWindow, windowFields } from '../window.ts'
import { breakDown, breakdownGroupings, breakdownOrders } from './break-down.ts'
import { intervalParam } from './buckets.ts'
import { chart, groupings } from './chart.ts'
import type { StatsStore } from './source/source.ts'
import { breakdownOut, seriesOut, summaryOut } from './stats-shapes.ts'
import { summarize } from './summarize.ts'

const path = '/v1/workspaces/{workspace_id}/stats'
const tag = 'Observability'
const common = { method: 'GET', tag, auth: 'session', role: 'viewer', params: workspaceParams, status: 200 } as const

const agentId = uuid.optional().meta({ description: 'Limits all figures to one agent' })

const summaryQuery = z.object({ ...windowFields, agent_id: agentId })

const chartQuery = z.object({
  ...windowFields,
  interval: intervalParam,
  time_zone: timeZoneParam.default('UTC'),
  agent_id: agentId,
  kind: z.enum(kinds).optional(),
  model: filterText.optional(),
  group_by: z.enum(groupings).default('none'),
  top: intParamOr(20, 1, 20).meta({
    description:
      'Number of series that are shown separately: those with the most events, or for models with the highest cost',
  }),
})

const breakdownQuery = z.object({
  ...windowFields,
  group_by: z.enum(breakdownGroupings).default('agent'),
  agent_id: agentId,
  order_by: z.enum(breakdownOrders).default('cost_usd').meta({ description: 'The order is always descending' }),
  limit: intParamOr(20, 1, 100),
})

const roundedBounds =
  'If a bound of the window lies inside of a minute with more than 50,000 events in the window, it is rounded to the minute.'

const summaryDescription = `Totals of the events that start in a window, of at most 400 days: from_time is included, to_time is not. Counts of \
events, calls and tokens, and costs are exact. ${roundedBounds} Percentiles are within 1 % of their value, and distinct counts are exact up to 100,000; in a \
window with fewer than 5,000 events, of which retention has removed none, all figures are exact. There, from_time and to_time are exact to the microsecond; with more events they are \
rounded outwards to the millisecond, in the response too.`

const chartDescription = `Buckets are aligned to the Unix epoch, and days to midnight in time_zone; there are at most 2,000. Grouping by model \
counts only model calls, and grouping by tool only tool calls. The series other sums the series that are not shown separately, and any \
series that is itself named other. ${roundedBounds}`

export function makeStatsRoutes(deps: StatsStore & { readonly nowMs: () => number }): Route[] {
  const { nowMs } = deps
  const windowCheck = makeWindowCheck(nowMs)
  return [
    route({
      ...common,
      path: `${path}/summary`,
      summary: 'Get the totals of a window',
      description: summaryDescription,
      query: summaryQuery.superRefine(...windowCheck),
      response: summaryOut,
      handle: async ({ params, query }) =>
        ok(await summarize(deps, params.workspace_id, resolveWindow(query, nowMs()), query.agent_id)),
    }),
    route({
      ...common,
      path: `${path}/timeseries`,
      summary: 'Get the totals of a window by time',
      description: chartDescription,
      query: chartQuery.superRefine(...windowCheck),
      response: seriesOut,
      refusals: charting,
      handle: async ({ params, query }) => {
        const window = resolveWindow(query, nowMs())
        const charted = await chart(deps, {
          workspaceId: params.workspace_id,
          window,
          interval: query.interval,
          timeZone: query.time_zone,
          agentId: query.agent_id,
          kind: query.kind,
          model: query.model,
          groupBy: query.group_by,
          top: query.top,
        })
        if (!charted.ok) return charted
        const { intervalS, series } = charted.value
        return ok({
          from_time: window.from.toISOString(),
          to_time: window.to.toISOString(),
          interval_s: intervalS,
          series,
        })
      },
    }),
    route({
      ...common,
      path: `${path}/breakdown`,
      summary: 'Get the totals of a window by group',
      description:
        'The largest agents, models, tools or kinds. Grouping by model counts only model calls, and grouping by tool only tool calls.',
      query: breakdownQuery.superRefine(...windowCheck),
      response: breakdownOut,
      handle: async ({ params, query }) =>
        ok(
          await breakDown(deps, {
            workspaceId: params.workspace_id,
            window: resolveWindow(query, nowMs()),
            groupBy: query.group_by,
            orderBy: query.order_by,
            agentId: query.agent_id,
            limit: query.limit,
          }),
        ),
    }),
  ]
}
