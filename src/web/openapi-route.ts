// Floor 2. GET /openapi.json: the document of all routes, itself among them.
import { describeRoutes } from './openapi.ts'
import type { RawRoute, Route } from './route.ts'

/** Gives the routes with the one that describes them. The document is made once. */
export function withOpenapi(routes: readonly Route[]): Route[] {
  let text = ''
  const own: RawRoute = {
    kind: 'raw',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Interface',
    summary: 'Get this document',
    auth: 'none',
    operation: {
      responses: {
        200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
    handle: async (ctx) => {
      ctx.status = 200
      ctx.set('Content-Type', 'application/json; charset=utf-8')
      ctx.body = text
    },
  }
  const all = [...routes, own]
  text = JSON.stringify(describeRoutes(all))
  return all
}
