// CORS: pages of other origins may call the interface where the settings name them. Never with cookies.
import type { Context } from 'koa'
import type { Route } from './route.ts'

export type Cors = {
  /** True where it was a preflight, which is answered now. */
  answerPreflight(ctx: Context): boolean
  /** For a request of this route, before it is handled. */
  begin(ctx: Context, route: Route): void
  /** For the same request, once its headers are known. */
  end(ctx: Context, route: Route): void
}

const requestHeaders = 'authorization, content-type, if-match, if-none-match, x-request-id, x-tracewright-cursor'
const responseHeaders = 'etag, retry-after, x-request-id, x-tracewright-cursor'
const preflightSeconds = 600

/** Agents send and fetch with keys, which no page should hold. */
const isForPages = (route: Route): boolean => route.auth !== 'key'

/** `origins` exactly as browsers send them; with none, no page of another origin reads anything. `find` gives the route of a method and a path. */
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
      // Only now, since handlers set a Vary of their own. What is streamed has left, and is never cached.
      if (allowed.size > 0 && isForPages(route) && !ctx.headerSent) ctx.vary('Origin')
    },
  }
}
