// GET /v1/apply/rules ahead of Koa, for calls that memory can answer at once. The route answers all others.

import { isHeld, type Representation, select } from '../web/representation.ts'
import { chooseRequestId } from '../web/request-id.ts'
import { type FastPathDeps, type FastPathHandler, findCaller } from './fast-path.ts'
import type { Rules } from './rules.ts'

export type RulesFastPathDeps = FastPathDeps & { readonly rules: Pick<Rules, 'peek'> }

const route = '/v1/apply/rules'

/** Uses no promise, no copy of the body and no parsing beyond the headers that it needs. */
export function makeRulesFastPath(deps: RulesFastPathDeps): FastPathHandler {
  const common = Object.entries(deps.headers).flat()
  const full = prepare(common, ({ fullHeaders }) => fullHeaders)
  const validators = prepare(common, (form) => form.validators)

  return (request, response) => {
    if (request.url !== route || request.method !== 'GET') return false
    const who = findCaller(request, deps.peekKey)
    const rules = who === undefined ? null : deps.rules.peek(who.workspaceId)
    if (rules === null) return false

    const startedAtMs = performance.now()
    const form = select(rules, request.headers['accept-encoding'])
    const isCurrent = isHeld(request.headers['if-none-match'], form)
    const requestId = chooseRequestId(request.headers['x-request-id'])
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

/** Returns a function that gives headers as the flat list that writeHead takes without further work; the list is made once per form. */
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
