// Handles a JSON route from the verified credential to the written answer: validation, membership, handler, refusal.

import type { Context } from 'koa'
import type { z } from 'zod'
import { writeStream } from './answer-stream.ts'
import type { Authenticator } from './authenticate.ts'
import { hasBody } from './body/has-body.ts'
import { type ParsedBody, parseBody } from './body/parse-body.ts'
import { readQuery } from './read-query.ts'
import { forbidden, notFound, refuseCaller, writeInvalid, writeRefusal } from './refuse.ts'
import {
  type AuthKind,
  isAtLeast,
  type JsonRoute,
  type PublicRefusal,
  type ReplyHeaders,
  type RequestFacts,
  type Session,
  type StreamedAnswer,
  type Who,
} from './route.ts'
import { describeIssues, type ValidationItem } from './validation.ts'

// Longer than most reads that do not wait. Rechecking costs next to nothing, since sessions and roles are cached in memory.
const longReadMs = 250

// Without a credential, or to end sessions, which has no limit for each user: a sign-up, the longest of these bodies, takes less.
const maxShortBodyBytes = 16_384

/** A long body counts as one more request for each full part of this size: to parse 1 MiB of it takes up to 0.1 s. */
const bytesOfRequest = 16_384

const noBody: ParsedBody = { ok: true, value: undefined }
const noJson: ParsedBody = {
  ok: false,
  status: 422,
  items: [{ loc: ['body'], msg: 'The content type should be application/json', type: 'model_attributes_type' }],
}

type Options = { readonly authenticator: Authenticator; readonly maxJsonBodyBytes: number }

/** The order of errors: 401 (checked earlier), 429 for the rate, 422 for invalid input, then 404 or 403 for the membership. */
export async function answerJson(
  ctx: Context,
  route: JsonRoute,
  who: Who<AuthKind>,
  request: RequestFacts,
  options: Options,
): Promise<void> {
  // Nearly all answers hold data of an account or a workspace, which neither a proxy nor the disk of a browser may keep.
  ctx.set('Cache-Control', 'no-store')
  await route.admit?.(who, 1)
  const items: ValidationItem[] = []
  const params = check('path', route.params, ctx['params'] as unknown, items)
  const query = check('query', route.query, readQuery(ctx), items)
  const maxBytes = findMaxBytes(route, options)
  const weigh = async (bytes: number): Promise<void> => {
    if (bytes >= bytesOfRequest) await route.admit?.(who, Math.floor(bytes / bytesOfRequest))
  }
  const body = route.body === null ? noBody : await readBody(ctx, route.body, maxBytes, weigh)
  if (!body.ok && body.status === 413) return writeRefusal(ctx, 413, `The body is larger than ${maxBytes} bytes`)
  if (!body.ok) items.push(...body.items)
  if (!body.ok || items.length > 0) return writeInvalid(ctx, items)

  const roleFault = await findRoleFault(route, who, params, options.authenticator)
  if (roleFault !== null) return writeRefusal(ctx, roleFault.status, roleFault.detail)

  const startedAtMs = performance.now()
  const reply: ReplyHeaders = { setHeader: (name, value) => ctx.set(name, value) }
  const outcome = await route.handle({ who, params, query, body: body.value, request, reply } as Parameters<
    JsonRoute['handle']
  >[0])
  // The session and the role may end while a read waits. A stream rechecks them itself.
  const isLate = route.method === 'GET' && route.streams === null && performance.now() - startedAtMs > longReadMs
  if (isLate && route.auth !== 'none' && !(await request.isStillKnown())) return refuseCaller(ctx, route.auth)
  const lateFault = isLate ? await findRoleFault(route, who, params, options.authenticator) : null
  if (lateFault !== null) return writeRefusal(ctx, lateFault.status, lateFault.detail)
  if (!outcome.ok) {
    const refusal = route.refusals[outcome.code]
    if (refusal === undefined) throw new Error(`${route.method} ${route.path} has no public text for ${outcome.code}`)
    if (refusal.status === 422) return writeInvalid(ctx, [refusal.item])
    return writeRefusal(ctx, refusal.status, refusal.detail)
  }
  if (route.streams !== null) return await writeStream(ctx, route.streams, outcome.value as StreamedAnswer, request)
  ctx.status = route.status
  if (route.response === null) {
    // With a null body, Koa would write the text of the status.
    if (route.status !== 204) ctx.body = ''
    return
  }
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(outcome.value)
}

/** Returns the refusal of a caller whose role in the workspace of the path is too low; null if the route asks for none. */
async function findRoleFault(
  route: JsonRoute,
  who: unknown,
  params: unknown,
  authenticator: Authenticator,
): Promise<PublicRefusal | null> {
  if (route.role === null) return null
  const { workspace_id: workspaceId } = params as { workspace_id: string }
  const role = await authenticator.role((who as Session).userId, workspaceId)
  if (role === null) return notFound
  return isAtLeast(role, route.role) ? null : forbidden
}

function check(part: 'path' | 'query', schema: z.ZodType | null, raw: unknown, items: ValidationItem[]): unknown {
  if (schema === null) return undefined
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  items.push(...describeIssues(part, result.error.issues, raw))
  return undefined
}

const findMaxBytes = ({ auth, endsSessions, maxBodyBytes }: JsonRoute, { maxJsonBodyBytes }: Options): number =>
  auth === 'none' || endsSessions ? Math.min(maxShortBodyBytes, maxJsonBodyBytes) : (maxBodyBytes ?? maxJsonBodyBytes)

/** Returns the body that the schema accepts. */
async function readBody(
  ctx: Context,
  schema: z.ZodType,
  maxBytes: number,
  weigh: (bytes: number) => Promise<void>,
): Promise<ParsedBody> {
  const parsed = await parseBody(ctx, maxBytes, weigh)
  if (!parsed.ok) return parsed
  const { value } = parsed
  if (value === undefined && hasBody(ctx.req) && ctx.is('application/json') === false) return noJson
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, status: 422, items: describeIssues('body', result.error.issues, value) }
}
