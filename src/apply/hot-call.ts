// What the calls that are answered ahead of Koa have in common: who calls, under which id, and the report.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyIdentity } from '../web/route.ts'
import type { RequestReport } from '../web/server.ts'

export type HotDeps = {
  /** The key, where memory vouches for it now; undefined is not a no. */
  readonly peekKey: (token: string) => KeyIdentity | undefined
  /** Those that the server sets on every answer, save x-request-id. */
  readonly headers: Readonly<Record<string, string>>
  readonly onRequest: (report: RequestReport) => void
}

/** True where it has answered; false leaves the request untouched for the route. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const bearer = 'Bearer '
const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** Undefined where memory does not vouch for the caller's key. */
export function findCaller(request: IncomingMessage, peekKey: HotDeps['peekKey']): KeyIdentity | undefined {
  const { authorization } = request.headers
  return authorization?.startsWith(bearer) === true ? peekKey(authorization.slice(bearer.length)) : undefined
}

/** The caller's own id where it is a sane one. */
export function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
}

/** Asks one after the other; each looks at the path first. */
export const firstOf =
  (...handlers: readonly HotHandler[]): HotHandler =>
  (request, response) =>
    handlers.some((handle) => handle(request, response))
