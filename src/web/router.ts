// Routing: the most specific of several patterns, and the answer where none matches.
import Router from '@koa/router'
import type { Context } from 'koa'
import { answerPage, type FindPage } from './pages.ts'
import { notFound, writeRefusal } from './refuse.ts'

/** If several path patterns match a request, only those with the fewest parameters count: `findings/summary` is not a finding. */
export class SpecificRouter extends Router {
  override match(path: string, method: string): ReturnType<Router['match']> {
    const found = super.match(path, method)
    const fewest = Math.min(...found.path.map(({ paramNames }) => paramNames.length))
    const isSpecific = ({ paramNames }: { readonly paramNames: readonly unknown[] }) => paramNames.length === fewest
    const pathAndMethod = found.pathAndMethod.filter(isSpecific)
    return { path: found.path.filter(isSpecific), pathAndMethod, route: pathAndMethod.length > 0 }
  }
}

// Exporters add `/v1/traces` to the address that they are given, and send metrics and logs to the same one.
const otlpPath = /\/(?:otlp|v1\/(?:traces|metrics|logs))\/?$/
const notTraces = 'Not found: OTLP is accepted at /v1/otlp/v1/traces, and for traces only'

/** Answers if no route matches, or if the path lacks the method: the router has set Allow then, with 501 for a method that no path has. */
export async function answerUnmatched(
  ctx: Context,
  next: () => Promise<void>,
  findPage: FindPage | undefined,
): Promise<void> {
  await next()
  if (ctx.body !== undefined) return
  const isUnmatched = ctx.status === 404
  if (isUnmatched && findPage !== undefined && answerPage(ctx, findPage)) return
  if (isUnmatched) writeRefusal(ctx, notFound.status, otlpPath.test(ctx.path) ? notTraces : notFound.detail)
  else if (ctx.status === 405 || ctx.status === 501) writeRefusal(ctx, 405, 'Method not allowed')
}
