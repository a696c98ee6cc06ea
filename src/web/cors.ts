// CORS: lets pages of the configured origins call the interface. Never with cookies.
import type { Context } from 'koa'
import type { Route } from './route.ts'

export type Cors = {
  /** Returns true if the request was a preflight, which is then answered. */
  answerPreflight(ctx: Context): boolean
  /** Call it for a request of this route, before the request is handled. */
  begin(ctx: Context, route: Route): void
  /** Call it for the same request, once its headers are known. */
  end(ctx: Context, route: Route): void
}

const requestHeaders = 'authorization, content-type, if-match, if-none-match, x-request-id, x-tracewright-cursor'
const responseHeaders = 'etag, retry-after, x-request-id, x-tracewright-cursor'
const preflightSeconds = 600

/** Routes for keys are excluded: agents use keys, and no page should have one. */
const isForPages = (route: Route): boolean => route.auth !== 'key'

/** `origins` exactly as browsers send them; if empty, other origins can read nothing. `find` returns the route of a method and a path. */
export function makeCors(origins: readonly string[], find: (method: string, path: string) => Route | null): Cors {
  const allowed = new Set(origins)
  const allow = (ctx: Context): boolean => {
    const origin = ctx.get('origin')
    if (!allowed.has(origin)) return false
    ctx.set('Access-Control-Allow-Origin', origin)
    return true
  }
  return {
    answerPreflight(ctx) {
      if (ctx.method !== 'OPTIONS' || allowed.size === 0) return false
      const method = ctx.get('access-control-request-method')
      const route = method === '' ? null : find(method, ctx.path)
      if (route === null || !isForPages(route)) return false
      ctx.vary('Origin')
      if (!allow(ctx)) return false
      ctx.state['route'] = route.path
      ctx.set({
        'Access-Control-Allow-Methods': method,
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': String(preflightSeconds),
      })
      ctx.status = 204
      return true
    },
    begin(ctx, route) {
      if (isForPages(route) && allow(ctx)) ctx.set('Access-Control-Expose-Headers', responseHeaders)
    },
    end(ctx, route) {
      // At the end, since handlers set their own Vary. The headers of a streamed answer are already sent; it is never cached.
      if (allowed.size > 0 && isForPages(route) && !ctx.headerSent) ctx.vary('Origin')
    },
  }
}
