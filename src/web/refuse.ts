// Writes all error answers.
import type { Context } from 'koa'
import { Outage } from '../base/fault.ts'
import type { ErrorWriter } from './route.ts'
import type { ValidationItem } from './validation.ts'

/** The only 404 for resources of other workspaces. It is identical, byte for byte, to that of a resource that does not exist. */
export const notFound = { status: 404, detail: 'Not found' } as const
/** By the credential that the route accepts. One text for a missing, malformed, expired, revoked and wrong kind of credential. */
export const unauthorized = {
  session: {
    status: 401,
    detail:
      'Not authenticated: the Authorization header must be Bearer and a valid access token of a signed-in user; an API key does not work here',
  },
  key: { status: 401, detail: 'Not authenticated: the Authorization header must be Bearer and a valid API key' },
} as const
export const forbidden = { status: 403, detail: 'Your role in this organization does not allow this' } as const

/** Writes `{"detail": "<sentence>"}`, or the route's own form, with the headers that the status requires. */
export function writeRefusal(ctx: Context, status: number, detail: string, write: ErrorWriter = writeDetail): void {
  write(ctx, status, detail)
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  ctx.set('Cache-Control', 'no-store')
}

/** Writes the 401 of a route that accepts this kind of credential. */
export function refuseCaller(ctx: Context, auth: keyof typeof unauthorized, write?: ErrorWriter): void {
  writeRefusal(ctx, unauthorized[auth].status, unauthorized[auth].detail, write)
}

/** Writes the 422 body. */
export function writeInvalid(ctx: Context, items: readonly ValidationItem[]): void {
  ctx.status = 422
  ctx.body = { detail: items }
  ctx.set('Cache-Control', 'no-store')
}

/** Writes what was thrown: an Outage as 503 or 429 with Retry-After, anything else as a plain 500 (503 if `bugIsOutage` is set). */
export function writeThrown(
  ctx: Context,
  error: unknown,
  options: { writeError?: ErrorWriter; bugIsOutage?: boolean },
): void {
  const write = options.writeError ?? writeDetail
  if (error instanceof Outage) {
    const usual = error.status === 429 ? 'Too many requests' : 'Temporarily unavailable'
    writeRefusal(ctx, error.status, error.detail ?? usual, write)
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))))
    return
  }
  const detail = `Internal error: the log of the service has the cause, with the request id ${ctx.state['requestId'] as string}`
  writeRefusal(ctx, options.bugIsOutage === true ? 503 : 500, detail, write)
  if (options.bugIsOutage === true) ctx.set('Retry-After', '5')
}

const writeDetail: ErrorWriter = (ctx, status, detail) => {
  ctx.status = status
  ctx.body = { detail }
}
