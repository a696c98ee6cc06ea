// HTTP: the prices of a workspace: read, replace all, remove all.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { type Route, route } from '../../web/route.ts'
import { workspaceParams } from '../../web/shapes.ts'
import { goneRefusals, pricesRefusals } from '../codes.ts'
import { maxPricesBytes, priceOut, pricesIn, toPrice } from './price-shape.ts'
import { tagOf } from './price-tag.ts'
import { readPrices } from './read-prices.ts'
import { replacePrices } from './replace-prices.ts'

type PriceRouteDeps = {
  readonly db: Database
  /** Called after the commit, to invalidate caches of the old prices. */
  readonly onChange: (workspaceId: string) => void
}

const common = {
  path: '/v1/workspaces/{workspace_id}/prices',
  tag: 'Workspaces and keys',
  auth: 'session',
  params: workspaceParams,
} as const

const ifMatch = z.object({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The ETag of the prices that you read. If the prices have changed since, the response is 412. Without this header, the request replaces the current list',
    ),
})

const responseHeaders = { ETag: 'Names this state of the list, for If-Match of a change' }

const effect =
  'Requires the role admin or above. Applies to events that arrive later, on every front after 5 seconds at most; the costs of stored events do not change.'

export function makePriceRoutes(deps: PriceRouteDeps): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Get the prices that a workspace has set for models',
      description:
        'In the order in which they were given. Empty if only the price list of the service applies. The ETag of the answer names this state of the list, for `If-Match` of a change.',
      role: 'viewer',
      status: 200,
      response: z.array(priceOut),
      refusals: goneRefusals,
      responseHeaders,
      handle: async ({ params, reply }) => {
        const outcome = await readPrices(deps.db, params.workspace_id)
        if (!outcome.ok) return outcome
        reply.setHeader('ETag', tagOf(outcome.value?.revision ?? null))
        return ok([...(outcome.value?.prices ?? [])])
      },
    }),
    route({
      ...common,
      method: 'PUT',
      summary: 'Replace the prices that a workspace has set for models',
      description: `They take precedence over the price list of the service, which prices the events that match none of them. ${effect}`,
      role: 'admin',
      body: pricesIn,
      maxBodyBytes: maxPricesBytes,
      status: 200,
      response: z.array(priceOut),
      refusals: pricesRefusals,
      requestHeaders: ifMatch,
      responseHeaders,
      handle: async ({ who, params, body, request, reply }) => {
        const prices = body.map(toPrice)
        const outcome = await replacePrices(deps, {
          who,
          workspaceId: params.workspace_id,
          prices,
          ifMatch: request.header('if-match'),
          from: request,
        })
        if (!outcome.ok) return outcome
        reply.setHeader('ETag', tagOf(outcome.value))
        return ok(prices)
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      summary: 'Remove all prices that a workspace has set for models',
      description: `From then on only the price list of the service applies. ${effect}`,
      role: 'admin',
      status: 204,
      refusals: pricesRefusals,
      requestHeaders: ifMatch,
      handle: async ({ who, params, request }) => {
        const outcome = await replacePrices(deps, {
          who,
          workspaceId: params.workspace_id,
          prices: [],
          ifMatch: request.header('if-match'),
          from: request,
        })
        return outcome.ok ? ok(undefined) : outcome
      },
    }),
  ]
}
