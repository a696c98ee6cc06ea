// GET /openapi.json: the document of all routes, including this one.
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { etagHeader, isHeld, type Representations, represent, select } from './representation.ts'
import type { RawRoute, Route } from './route.ts'

/**
 * Returns the routes together with the route of their document. The document is built once, as bytes: it is large, and open to everyone. It
 * is built at the first request, because it takes 100 ms, which most processes never need.
 */
export function withOpenapi(routes: readonly Route[]): Route[] {
  const own: RawRoute = {
    kind: 'raw',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Interface',
    summary: 'Get this document',
    auth: 'none',
    operation: {
      requestParams: { header: z.object({ 'If-None-Match': z.string().optional() }) },
      responses: {
        200: {
          description: 'OpenAPI 3.1, with a strong ETag; gzip if the client accepts it',
          headers: etagHeader,
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        304: { description: 'The document named by If-None-Match is current', headers: etagHeader },
      },
    },
    handle: async (ctx, _who, request) => {
      making ??= describe(all)
      const form = select(await making, request.header('accept-encoding'))
      const isCurrent = isHeld(request.header('if-none-match'), form)
      ctx.status = isCurrent ? 304 : 200
      ctx.set(isCurrent ? form.validators : form.fullHeaders)
      if (!isCurrent) ctx.body = form.body
    },
  }
  const all = [...routes, own]
  let making: Promise<Representations> | null = null
  return all
}

async function describe(routes: readonly Route[]): Promise<Representations> {
  const { describeRoutes } = await import('./openapi.ts')
  const body = Buffer.from(JSON.stringify(describeRoutes(routes)))
  return represent({ plain: body, gzip: gzipSync(body) }, { version: 'openapi', cacheControl: 'no-cache' })
}
