// What a browser gets on paths that no route has.
import type { Context } from 'koa'

export type PageRequest = {
  /** As it was sent, with its percent signs. */
  readonly path: string
  /** The client is a browser that opens a page. */
  readonly wantsPage: boolean
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

export type PageAnswer = {
  /** What logs and metrics call it, in the place of the route. */
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null where the status has none. */
  readonly body: Buffer | null
}

/** Null where the path is nobody's. */
export type FindPage = (request: PageRequest) => PageAnswer | null

/** True where it has answered. */
export function answerPage(ctx: Context, find: FindPage): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false
  // Clients that take anything get the interface, but not at the root, where people look for the page.
  const order = ctx.path === '/' ? ['html', 'json'] : ['json', 'html']
  const page = find({
    path: ctx.path,
    wantsPage: ctx.accepts(...order) === 'html',
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
