// GET /v1/apply/rules: the active rules, for SDKs.
import type { Context } from 'koa'
import { z } from 'zod'
import { readQuery } from '../web/read-query.ts'
import { writeInvalid, writeRefusal } from '../web/refuse.ts'
import { etagHeader, isHeld, type Representation, select } from '../web/representation.ts'
import type { KeyIdentity, RawRoute, RequestFacts, Route } from '../web/route.ts'
import { dateTimeOut, intParam, uuidOut } from '../web/shapes.ts'
import { describeIssues } from '../web/validation.ts'
import { rulesRefusals } from './codes.ts'
import type { Rules } from './rules.ts'

export type ApplyDeps = { readonly rules: Pick<Rules, 'read' | 'waitForChange'>; readonly nowMs: () => number }

const query = z.object({
  wait: intParam(0, 30).optional().meta({ description: 'Seconds to wait for a change of the rules. Default: 0' }),
})

const ageHeader = {
  Age: { description: 'Seconds since the rules were known to be current', schema: { type: 'integer', minimum: 1 } },
} as const

/** The body of a 200. */
export const rulesResponse = z
  .object({
    version: z
      .string()
      .describe(
        '`<mark>.<n>`: n is the number of changes so far; the mark is random and different for each change. Compare the whole text: ' +
          'after a failover that lost transactions, n can occur a second time',
      ),
    generated_at: dateTimeOut.describe('When this version was created'),
    poll_after_s: z.int(),
    rules: z.array(
      z.object({
        decision_id: uuidOut,
        type: z.string(),
        tool_name: z.string(),
        tool_version: z
          .string()
          .nullable()
          .describe(
            'Matches calls of a tool that declares exactly this version; null: of a tool that declares no version',
          ),
        input_hash: z.string().nullable().describe('Matches calls with this input; null: see inputs'),
        inputs: z
          .array(z.string())
          .max(4_096)
          .nullable()
          .describe(
            'Matches calls with these inputs: base64 of the first 8 bytes of each input hash, sorted. For a hash `<name>:<hex>` ' +
              'with at least 16 digits, these are the bytes of the digits; for any other text, those of its SHA-256. An invalidated input ' +
              'is omitted until the rule is measured again. The rules of a workspace list at most 196,608 inputs in all. Null: not limited to listed inputs',
          ),
        agent_id: uuidOut.nullable(),
        agent_name: z.string().nullable(),
        freshness_s: z.number(),
        holdout_rate: z.number(),
        config: z.record(z.string(), z.unknown()),
        proven: z.boolean().describe('False for a rule that a user activated before it was proven'),
        activated_at: dateTimeOut.nullable(),
        executed_after: dateTimeOut
          .nullable()
          .describe('Results of executions that began at this time or before are not served: they were invalidated'),
      }),
    ),
  })
  .meta({ id: 'Rules' })

const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
const validationError = { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } }

export function makeApplyRoutes(deps: ApplyDeps): Route[] {
  return [
    {
      kind: 'raw',
      method: 'GET',
      path: '/v1/apply/rules',
      tag: 'Apply',
      summary: 'List the active optimization rules',
      description:
        'Send the ETag of the rules that you have as If-None-Match: the response is 304 while they are current. With `wait`, the service ' +
        'holds a request that would get a 304 for up to that many seconds, until the rules change; if the key is revoked meanwhile, the ' +
        'response is 401. `Age` is present if the rules come from memory while the service cannot check them or receive changes: it is the ' +
        'number of seconds since they were known to be current.',
      auth: 'key',
      operation: {
        requestParams: { query, header: z.object({ 'If-None-Match': z.string().optional() }) },
        responses: {
          200: {
            description: 'The active rules, with a strong ETag; gzip if the client accepts it',
            headers: { ...etagHeader, ...ageHeader },
            content: { 'application/json': { schema: rulesResponse } },
          },
          304: {
            description: 'The rules named by If-None-Match are current',
            headers: { ...etagHeader, ...ageHeader },
          },
          401: { description: 'Not authenticated', content: problem },
          422: { description: 'Validation error', content: validationError },
          503: { description: 'Temporarily unavailable', content: problem },
        },
      },
      handle: (ctx, who, request) => answerRules(deps, ctx, who as KeyIdentity, request),
    } satisfies RawRoute,
  ]
}

/**
 * Answers with the rules. If the caller holds the current ones and asked to wait, the request is parked until they change; a parked request
 * costs one timer.
 */
async function answerRules(deps: ApplyDeps, ctx: Context, who: KeyIdentity, request: RequestFacts): Promise<void> {
  const waitS = readWait(ctx)
  if (waitS === null) return
  const untilMs = deps.nowMs() + waitS * 1_000
  const ifNoneMatch = request.header('if-none-match')
  const acceptEncoding = request.header('accept-encoding')

  for (;;) {
    const held = await deps.rules.read(who.workspaceId)
    // Checked before and after each wait: a key that was revoked before a wait begins would not end it.
    if (held === null || (waitS > 0 && !(await request.isStillKnown()))) {
      const { status, detail } = rulesRefusals.no_key
      return writeRefusal(ctx, status, detail)
    }
    const form = select(held.rules, acceptEncoding)
    const isCurrent = isHeld(ifNoneMatch, form)
    const leftMs = untilMs - deps.nowMs()
    if (!isCurrent || leftMs <= 0) return write(ctx, form, isCurrent, held.ageS)

    const wait = await deps.rules.waitForChange(who.workspaceId, held.rules, request.signal(), leftMs)
    // The client is gone or the front is stopping: the connection will not be used again.
    if (wait === 'aborted') ctx.set('Connection', 'close')
    if (wait === 'aborted' || wait === 'full') return write(ctx, form, true, held.ageS)
    // Woken or timed out: the rules and their age are read again.
  }
}

/** Returns seconds; null if the parameter is invalid and the 422 was written. */
function readWait(ctx: Context): number | null {
  const raw = readQuery(ctx)
  const parsed = query.safeParse(raw)
  if (parsed.success) return parsed.data.wait ?? 0
  writeInvalid(ctx, describeIssues('query', parsed.error.issues, raw))
  return null
}

function write(ctx: Context, form: Representation, isCurrent: boolean, ageS: number): void {
  if (ageS > 0) ctx.set('Age', String(ageS))
  if (isCurrent) {
    ctx.status = 304
    ctx.set(form.validators)
    return
  }
  ctx.status = 200
  ctx.set(form.fullHeaders)
  ctx.body = form.body
}
