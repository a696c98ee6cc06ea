// GET /v1/apply/tool-result: the stored result for one matched rule, for SDKs.
import type { Context } from 'koa'
import { z } from 'zod'
import { maxHashChars } from '../../normalise/tracewright-attributes.ts'
import { readQuery } from '../../web/read-query.ts'
import { writeInvalid, writeRefusal } from '../../web/refuse.ts'
import type { KeyIdentity, RawRoute, Route } from '../../web/route.ts'
import { dateTimeOut, uuid, uuidOut } from '../../web/shapes.ts'
import { describeIssues } from '../../web/validation.ts'
import { rulesRefusals } from '../codes.ts'
import type { ToolResultAnswer } from './answer.ts'
import { toolResultPath } from './fast-path.ts'
import type { Question } from './match.ts'
import type { ToolResults } from './open.ts'

const query = z.object({
  decision_id: uuid.meta({ description: 'The rule that the caller matched' }),
  input_hash: z
    .string()
    .max(maxHashChars)
    .optional()
    .meta({ description: 'Required for a rule of type reuse_identity; other rules do not use it' }),
  scope_hash: z
    .string()
    .max(maxHashChars)
    .optional()
    .meta({ description: 'The scope that the result must belong to; required for a rule of type suppress_dead' }),
})

/** The body of a 200. */
export const toolResultResponse = z
  .object({
    content_hash: z.string().describe('The hash that the decrypted result must have'),
    ciphertext_b64: z.string(),
    iv_b64: z.string(),
    tag_b64: z.string(),
    key_id: z.string(),
    cached_at: dateTimeOut.describe('End of the execution that produced the result'),
    expires_at: dateTimeOut,
    decision_id: uuidOut,
  })
  .meta({ id: 'ToolResult' })

const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
const validationError = { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } }

export function makeToolResultRoutes(results: Pick<ToolResults, 'read'>): Route[] {
  return [
    {
      kind: 'raw',
      method: 'GET',
      path: toolResultPath,
      tag: 'Apply',
      summary: 'Get the stored result for a matched rule',
      description:
        'Returns the encrypted result of the newest execution that matches the rule, if that execution did not fail, was not invalidated, ' +
        'and is not older than the age limit of the rule. Otherwise the response is 404, which does not name the reason; ' +
        'on a 404, run the tool.',
      auth: 'key',
      operation: {
        requestParams: { query },
        responses: {
          200: { description: 'The result', content: { 'application/json': { schema: toolResultResponse } } },
          401: { description: 'Not authenticated', content: problem },
          404: { description: 'Not found', content: problem },
          422: { description: 'Validation error', content: validationError },
          503: { description: 'Temporarily unavailable', content: problem },
        },
      },
      handle: (ctx, who) => answer(results, ctx, who as KeyIdentity),
    } satisfies RawRoute,
  ]
}

async function answer(results: Pick<ToolResults, 'read'>, ctx: Context, who: KeyIdentity): Promise<void> {
  const question = readQuestion(ctx)
  if (question === null) return
  const given = await results.read(who.workspaceId, question)
  if (given !== null) return write(ctx, given)
  const { status, detail } = rulesRefusals.no_key
  writeRefusal(ctx, status, detail)
}

/** Returns null if a parameter is invalid and the 422 was written. */
function readQuestion(ctx: Context): Question | null {
  const raw = readQuery(ctx)
  const parsed = query.safeParse(raw)
  if (parsed.success) {
    const { decision_id: decisionId, input_hash: inputHash = null, scope_hash: scopeHash = null } = parsed.data
    return { decisionId, inputHash, scopeHash }
  }
  writeInvalid(ctx, describeIssues('query', parsed.error.issues, raw))
  return null
}

function write(ctx: Context, { status, headers, body }: ToolResultAnswer): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}
