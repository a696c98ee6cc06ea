// Common parts of the calls that are answered ahead of Koa: the caller, the request id and the report.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyIdentity } from '../web/route.ts'
import type { RequestReport } from '../web/server.ts'

export type FastPathDeps = {
  /** Returns the key if memory knows it to be valid now. Undefined is not a refusal. */
  readonly peekKey: (token: string) => KeyIdentity | undefined
  /** Headers that the server sets on every response, except x-request-id. */
  readonly headers: Readonly<Record<string, string>>
  readonly onRequest: (report: RequestReport) => void
}

/** Returns true if it has answered; false leaves the request untouched for the route. */
export type FastPathHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const bearer = 'Bearer '
const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns undefined if memory does not know the key of the caller to be valid. */
export function findCaller(request: IncomingMessage, peekKey: FastPathDeps['peekKey']): KeyIdentity | undefined {
  const { authorization } = request.headers
  return authorization?.startsWith(bearer) === true ? peekKey(authorization.slice(bearer.length)) : undefined
}

/** Returns the request id of the caller if it is well-formed; otherwise a new one. */
export function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
}

/** Tries the handlers in order. Each one checks the path first. */
export const firstOf =
  (...handlers: readonly FastPathHandler[]): FastPathHandler =>
  (request, response) =>
    handlers.some((handle) => handle(request, response))
