// HTTP: what the rules of a workspace saved.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import { readSavings } from '../../decisions/savings/read-savings.ts'
import type { Database } from '../../store/database.ts'
import { type Route, route } from '../../web/route.ts'
import { dateTimeOut, uuid, uuidOut, workspaceParams } from '../../web/shapes.ts'
import { charting } from '../codes.ts'
import { makeWindowCheck, resolveWindow, windowFields } from '../window.ts'
import { intervalParam, layBuckets } from './buckets.ts'

const query = z.object({
  ...windowFields,
  interval: intervalParam,
  decision_id: uuid.optional().meta({ description: 'Limits all figures to one decision' }),
})

const countOut = z.number().int().nonnegative()
const usd = (description: string) => z.number().meta({ description })

const savings = {
  gross_usd: usd(
    'What the served calls would have cost, each at the mean cost that the spans of real executions with its input report',
  ),
  holdout_cost_usd: usd(
    'The cost of the held-out calls, which ran for real so that the rules can be measured. It is not deducted from net_usd',
  ),
  cache_loss_usd: usd('Prompt-cache savings that were lost on served results, compared with real results'),
  wrong_cost_usd: usd(
    'The cost of wrong served results: gross_usd times the share of wrong results among the held-out calls of the same activation of the rule',
  ),
  net_usd: usd('gross_usd minus cache_loss_usd and wrong_cost_usd; negative if the rules cost more than they saved'),
  latency_saved_ms: z.number(),
  served_calls: countOut,
  holdout_calls: countOut,
}

const savingsOut = z
  .object({
    from_time: dateTimeOut,
    to_time: dateTimeOut,
    interval_s: countOut,
    ...savings,
    decisions: z.array(
      z.object({
        decision_id: uuidOut,
        type: z.string(),
        state: z.string(),
        tool_name: z.string(),
        input_hash: z.string().nullable(),
        ...savings,
      }),
    ),
    points: z.array(z.object({ time: dateTimeOut, ...savings })),
  })
  .meta({ id: 'Savings', description: 'The savings of the rules in a window, less their costs' })

/** Limit of the listed decisions, most served calls first. The totals include all decisions. */
const maxDecisions = 1_000

export const makeSavingsRoute = (deps: { readonly db: Database; readonly nowMs: () => number }): Route =>
  route({
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/stats/savings',
    tag: 'Observability',
    summary: 'Get the savings by rules',
    description: `Net savings, which can be negative: in total over all decisions with served or held-out calls in the window, for \
each of these decisions (most served calls first, at most ${maxDecisions.toLocaleString('en')}) and for each bucket.`,
    auth: 'session',
    role: 'viewer',
    params: workspaceParams,
    query: query.superRefine(...makeWindowCheck(deps.nowMs)),
    status: 200,
    response: savingsOut,
    refusals: charting,
    handle: async ({ params, query: given }) => {
      const window = resolveWindow(given, deps.nowMs())
      const buckets = await layBuckets(deps.db, window, given.interval, 'UTC')
      if (!buckets.ok) return buckets
      const { total, decisions, points } = await readSavings(deps, {
        workspaceId: params.workspace_id,
        ...window,
        decisionId: given.decision_id ?? null,
        startsMs: buckets.value.startsMs,
      })
      return ok({
        from_time: window.from.toISOString(),
        to_time: window.to.toISOString(),
        interval_s: buckets.value.intervalS,
        ...total,
        decisions: decisions.toSorted((a, b) => b.served_calls - a.served_calls).slice(0, maxDecisions),
        points,
      })
    },
  })
