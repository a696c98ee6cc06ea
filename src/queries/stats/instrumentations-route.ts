// HTTP: what each instrumentation of a workspace sent, and how much of it the service understands.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import { readScopes, type ScopeUse } from '../../rollups/scopes/read-scopes.ts'
import type { Database } from '../../store/database.ts'
import { type Route, route } from '../../web/route.ts'
import { dateTimeOut, workspaceParams } from '../../web/shapes.ts'
import { makeWindowCheck, resolveExact, windowFields } from '../window.ts'
import { roundUsd } from './usd.ts'

const countOut = z.number().int().nonnegative()

const instrumentationOut = z
  .object({
    scope_name: z
      .string()
      .nullable()
      .meta({
        description:
          'Name of the instrumentation scope; null if the spans have none. A minute, an hour or a day holds 256 scopes; further scopes are named other',
        examples: ['opentelemetry.instrumentation.openai.v1'],
      }),
    scope_version: z.string().nullable(),
    dialect: z
      .string()
      .nullable()
      .meta({
        description: 'The dialect that the spans are in, by their scope or their attributes; null if it is not known',
        examples: ['opentelemetry', 'openinference', 'traceloop'],
      }),
    spans: countOut,
    by_kind: z.record(z.string(), countOut).meta({ description: 'Spans by kind; kinds without spans are omitted' }),
    other_share: z.number().min(0).max(1).meta({ description: 'Share of the spans that have the kind “other”' }),
    told_twice: countOut.meta({
      description: 'Spans of model calls that another instrumentation reports too; one span of each call counts',
    }),
    repeated: countOut.meta({
      description:
        'Of the spans in told_twice, those that do not count, because a span of another instrumentation counts instead',
    }),
    unpriced: countOut.meta({ description: 'Model calls that report tokens but have no price' }),
    cost_disagreements: countOut.meta({
      description: 'Model calls whose sender reports a cost that differs from the computed one by more than 5 %',
    }),
    cost_disagreement_usd: z.number().nonnegative().meta({ description: 'The sum of these differences' }),
    agents_unnamed: countOut.meta({
      description:
        'Spans whose agent is named neither by a span of their trace nor by the resource; their agent is service.name or unknown',
    }),
    last_seen: dateTimeOut.meta({ description: 'Latest start of a span' }),
  })
  .meta({ id: 'Instrumentation' })

type Instrumentation = z.input<typeof instrumentationOut>

const instrumentationsOut = z
  .object({ items: z.array(instrumentationOut) })
  .meta({ id: 'Instrumentations', description: 'What each instrumentation scope sent in a window' })

/** Only the scopes with the most spans are listed. */
const maxItems = 1_000

export const makeInstrumentationsRoute = (deps: { readonly db: Database; readonly nowMs: () => number }): Route =>
  route({
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/stats/instrumentations',
    tag: 'Observability',
    summary: 'Get telemetry health by instrumentation',
    description: `One item for each instrumentation scope, version and dialect, most spans first, at most \
${maxItems.toLocaleString('en')}. It shows which part of the set-up sends spans that the service cannot understand, reports calls twice, or lacks \
prices. All counts are exact; if a bound lies inside of a minute with more than 50,000 events in the window, it is rounded to the minute.`,
    auth: 'session',
    role: 'viewer',
    params: workspaceParams,
    query: z.object(windowFields).superRefine(...makeWindowCheck(deps.nowMs)),
    status: 200,
    response: instrumentationsOut,
    handle: async ({ params, query }) => {
      const uses = await readScopes(deps.db, params.workspace_id, resolveExact(query, deps.nowMs()), maxItems)
      return ok({ items: uses.map(show) })
    },
  })

const show = (use: ScopeUse): Instrumentation => ({
  scope_name: use.name,
  scope_version: use.version,
  dialect: use.dialect,
  spans: use.spans,
  by_kind: use.byKind,
  other_share: (use.byKind['other'] ?? 0) / use.spans,
  told_twice: use.toldTwice,
  repeated: use.repeated,
  unpriced: use.unpriced,
  cost_disagreements: use.costDisagreements,
  cost_disagreement_usd: roundUsd(use.costDisagreementUsd),
  agents_unnamed: use.agentsUnnamed,
  last_seen: use.lastStart.toISOString(),
})
