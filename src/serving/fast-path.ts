// Common parts of the calls that are answered ahead of Koa: the caller, the order and the report.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBearer } from '../web/authenticate.ts'
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

/** Returns undefined if memory does not know the key of the caller to be valid. */
export function findCaller(request: IncomingMessage, peekKey: FastPathDeps['peekKey']): KeyIdentity | undefined {
  const token = readBearer(request.headers.authorization ?? '')
  return token === null ? undefined : peekKey(token)
}

/** Tries the handlers in order. Each one checks the path first. */
export const firstOf =
  (...handlers: readonly FastPathHandler[]): FastPathHandler =>
  (request, response) =>
    handlers.some((handle) => handle(request, response))
