// The answers for browsers on paths that match no route.
import type { Context } from 'koa'
import { prefersHtml } from './preferences.ts'

export type PageRequest = {
  /** The path as it was sent, with its percent-encoding. */
  readonly path: string
  /** The client is a browser that opens a page. */
  readonly wantsPage: boolean
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

export type PageAnswer = {
  /** The name in logs and metrics, in place of the route. */
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null if the status has no body. */
  readonly body: Buffer | null
}

/** Returns null if there is no page or file at the path. */
export type FindPage = (request: PageRequest) => PageAnswer | null

/** Returns true if it has answered. */
export function answerPage(ctx: Context, find: FindPage): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false
  const page = find({
    path: ctx.path,
    // Clients that accept everything get JSON, except at the root, where people expect the page.
    wantsPage: prefersHtml(ctx.get('accept') || undefined, ctx.path === '/'),
    acceptEncoding: ctx.get('accept-encoding') || undefined,
    ifNoneMatch: ctx.get('if-none-match') || undefined,
  })
  if (page === null) return false
  ctx.state['route'] = page.name
  ctx.status = page.status
  ctx.set(page.headers)
  if (page.body !== null) ctx.body = page.body
  return true
}
