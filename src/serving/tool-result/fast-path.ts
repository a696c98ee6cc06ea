// GET /v1/apply/tool-result ahead of Koa, for calls that memory can answer at once. The route answers all others.
import { parse } from 'node:querystring'
import { isUuid } from '../../base/ids.ts'
import { maxHashChars } from '../../normalise/tracewright-attributes.ts'
import { chooseRequestId } from '../../web/request-id.ts'
import { type FastPathDeps, type FastPathHandler, findCaller } from '../fast-path.ts'
import type { Question } from './match.ts'
import type { ToolResults } from './open.ts'

export type ResultsFastPathDeps = FastPathDeps & { readonly results: Pick<ToolResults, 'peek'> }

export const toolResultPath = '/v1/apply/tool-result'

const prefix = `${toolResultPath}?`

/** Uses no promise and no copy of the body. A served result and every refusal take the same path. */
export function makeResultsFastPath(deps: ResultsFastPathDeps): FastPathHandler {
  const common = Object.entries(deps.headers).flat()

  return (request, response) => {
    const { url } = request
    if (url?.startsWith(prefix) !== true || request.method !== 'GET') return false
    const startedAtMs = performance.now()
    const question = readQuestion(url.slice(prefix.length))
    const who = question === null ? undefined : findCaller(request, deps.peekKey)
    if (question === null || who === undefined) return false
    const answer = deps.results.peek(who.workspaceId, question)
    if (answer === null) return false

    const requestId = chooseRequestId(request.headers['x-request-id'])
    response.writeHead(answer.status, ['x-request-id', requestId, ...common, ...answer.flatHeaders])
    response.end(answer.body)
    const durationMs = performance.now() - startedAtMs
    deps.onRequest({
      method: 'GET',
      route: toolResultPath,
      status: answer.status,
      durationMs,
      requestId,
      error: undefined,
    })
    return true
  }
}

/** Returns null if the query is not well-formed: the route then reports the error. */
function readQuestion(query: string): Question | null {
  const { decision_id: decisionId, input_hash: inputHash = null, scope_hash: scopeHash = null } = parse(query)
  if (typeof decisionId !== 'string' || !isUuid(decisionId)) return null
  if (!isShort(inputHash) || !isShort(scopeHash)) return null
  return { decisionId: decisionId.toLowerCase(), inputHash, scopeHash }
}

const isShort = (hash: string | string[] | null): hash is string | null =>
  hash === null || (typeof hash === 'string' && hash.length <= maxHashChars)
