// Floor 3. GET /v1/apply/rules ahead of Koa, for the call that memory can answer at once. What it cannot, the route answers.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyIdentity } from '../web/route.ts'
import type { RequestReport } from '../web/server.ts'
import type { Rules } from './rules.ts'
import { isHeld, type Representation, select } from './rules-representation.ts'

export type HotRulesDeps = {
  readonly rules: Pick<Rules, 'peek'>
  /** The key, where memory vouches for it now; undefined is not a no. */
  readonly peekKey: (token: string) => KeyIdentity | undefined
  /** Those that the server sets on every answer, save x-request-id. */
  readonly headers: Readonly<Record<string, string>>
  readonly onRequest: (report: RequestReport) => void
}

/** True where it has answered; false leaves the request untouched for the route. */
export type HotHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const route = '/v1/apply/rules'
const bearer = 'Bearer '
const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** No promise, no copy of the body, no parsing beyond the headers it needs. */
export function makeHotRules(deps: HotRulesDeps): HotHandler {
  const common = Object.entries(deps.headers).flat()
  const full = prepare(common, ({ fullHeaders }) => fullHeaders)
  const validators = prepare(common, (form) => form.validators)

  return (request, response) => {
    if (request.url !== route || request.method !== 'GET') return false
    const { authorization } = request.headers
    if (authorization === undefined || !authorization.startsWith(bearer)) return false
    const who = deps.peekKey(authorization.slice(bearer.length))
    const rules = who === undefined ? null : deps.rules.peek(who.workspaceId)
    if (rules === null) return false

    const startedAtMs = performance.now()
    const form = select(rules, request.headers['accept-encoding'])
    const isCurrent = isHeld(request.headers['if-none-match'], form)
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
    const status = isCurrent ? 304 : 200
    response.writeHead(status, [...(isCurrent ? validators(form) : full(form)), 'x-request-id', requestId])
    response.end(isCurrent ? undefined : form.body)
    deps.onRequest({
      method: 'GET',
      route,
      status,
      durationMs: performance.now() - startedAtMs,
      requestId,
      error: undefined,
    })
    return true
  }
}

/** Headers as the flat list that writeHead takes without further work; made once a form. */
function prepare(
  common: readonly string[],
  pick: (form: Representation) => Readonly<Record<string, string>>,
): (form: Representation) => readonly string[] {
  const made = new WeakMap<Representation, readonly string[]>()
  return (form) => {
    const known = made.get(form) ?? [...common, ...Object.entries(pick(form)).flat()]
    made.set(form, known)
    return known
  }
}
