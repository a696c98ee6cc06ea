// Handles a JSON route from the verified credential to the written answer: validation, membership, handler, refusal.

import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { z } from 'zod'
import { writeStream } from './answer-stream.ts'
import type { Authenticator } from './authenticate.ts'
import { hasBody } from './has-body.ts'
import { parseJsonBody } from './parse-json-body.ts'
import { forbidden, notFound, unauthorized, writeInvalid, writeRefusal } from './refuse.ts'
import {
  isAtLeast,
  type JsonRoute,
  type ReplyHeaders,
  type RequestFacts,
  type Session,
  type StreamedAnswer,
} from './route.ts'
import { describeBadJson, describeIssues, type ValidationItem } from './validation.ts'

// Longer than most reads that do not wait. Rechecking costs next to nothing, since sessions and roles are cached in memory.
const longReadMs = 250

type Options = { readonly authenticator: Authenticator; readonly maxJsonBodyBytes: number }

/** The interface promises this order of errors: 401 (checked earlier), 422 for invalid input, then 404 or 403 for the membership. */
export async function answerJson(
  ctx: Context,
  route: JsonRoute,
  who: unknown,
  request: RequestFacts,
  options: Options,
): Promise<void> {
  const items: ValidationItem[] = []
  const params = check('path', route.params, ctx['params'] as unknown, items)
  const query = check('query', route.query, firstValues(ctx.query), items)
  const body = route.body === null ? undefined : await readBody(ctx, route.body, options.maxJsonBodyBytes, items)
  if (ctx.status === 413) return
  if (items.length > 0) return writeInvalid(ctx, items)

  if (route.role !== null) {
    const { workspace_id: workspaceId } = params as { workspace_id: string }
    const role = await options.authenticator.role((who as Session).userId, workspaceId)
    if (role === null) return writeRefusal(ctx, notFound.status, notFound.detail)
    if (!isAtLeast(role, route.role)) return writeRefusal(ctx, forbidden.status, forbidden.detail)
  }

  const startedAtMs = performance.now()
  const reply: ReplyHeaders = { setHeader: (name, value) => ctx.set(name, value) }
  const outcome = await route.handle({ who, params, query, body, request, reply } as Parameters<JsonRoute['handle']>[0])
  // A stream rechecks the credential itself, while it is read.
  const isLate = route.method === 'GET' && route.streams === null && performance.now() - startedAtMs > longReadMs
  if (isLate && !(await request.isStillKnown())) return writeRefusal(ctx, unauthorized.status, unauthorized.detail)
  if (isLate && !(await isStillMember(route, who, params, options.authenticator)))
    return writeRefusal(ctx, notFound.status, notFound.detail)
  if (!outcome.ok) {
    const refusal = route.refusals[outcome.code]
    if (refusal === undefined) throw new Error(`${route.method} ${route.path} has no public text for ${outcome.code}`)
    if (refusal.status === 422) return writeInvalid(ctx, [refusal.item])
    return writeRefusal(ctx, refusal.status, refusal.detail)
  }
  ctx.set(route.headers)
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

/** Whether the caller is still a member: the membership, like the session, may end while a read waits. */
async function isStillMember(
  route: JsonRoute,
  who: unknown,
  params: unknown,
  authenticator: Authenticator,
): Promise<boolean> {
  if (route.role === null) return true
  const { workspace_id: workspaceId } = params as { workspace_id: string }
  return (await authenticator.role((who as Session).userId, workspaceId)) !== null
}

function check(part: 'path' | 'query', schema: z.ZodType | null, raw: unknown, items: ValidationItem[]): unknown {
  if (schema === null) return undefined
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  items.push(...describeIssues(part, result.error.issues, raw))
  return undefined
}

/** A parameter that is given twice has its last value, as in the service that this interface descends from. */
function firstValues(query: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  )
}

async function readBody(ctx: Context, schema: z.ZodType, maxBytes: number, items: ValidationItem[]): Promise<unknown> {
  const raw = await parseBody(ctx, maxBytes, items)
  if (items.some((item) => item.type === 'json_invalid') || ctx.status === 413) return undefined
  if (raw === undefined && hasBody(ctx.req) && ctx.is('application/json') === false) {
    items.push({ loc: ['body'], msg: 'The content type should be application/json', type: 'model_attributes_type' })
    return undefined
  }
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  items.push(...describeIssues('body', result.error.issues, raw))
  return undefined
}

const unknownCoding = 'the content encoding must be gzip, deflate, br or none'

async function parseBody(ctx: Context, maxBytes: number, items: ValidationItem[]): Promise<unknown> {
  const refuseLarge = (): void => writeRefusal(ctx, 413, `The body is larger than ${maxBytes} bytes`)
  const read = koaBody({
    multipart: false,
    urlencoded: false,
    json: false,
    textTypes: ['application/json'],
    textLimit: maxBytes,
    // Read each byte as one character: with UTF-8 the body reader would silently replace invalid bytes.
    encoding: 'binary',
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    onError: (error) => {
      const status = (error as { status?: number }).status
      if (status === 413) refuseLarge()
      else items.push(...describeBadJson(status === 415 ? unknownCoding : 'the body could not be read'))
    },
  })
  // Names of codings are case-insensitive (RFC 9110 section 8.4.1); the body reader knows only their lower case.
  const coding = ctx.req.headers['content-encoding']
  if (coding !== undefined) ctx.req.headers['content-encoding'] = coding.toLowerCase()
  if (/100-continue/i.test(ctx.get('expect'))) {
    if (Number(ctx.get('content-length') || 0) > maxBytes) {
      refuseLarge()
      return undefined
    }
    ctx.res.writeContinue()
  }
  await read(ctx, () => Promise.resolve())
  const { body } = ctx.request as { body?: string }
  // The reader returns the empty string for an absent body.
  if (body === undefined || body === '') return undefined
  const parsed = parseJsonBody(Buffer.from(body, 'latin1'))
  if (parsed.ok) return parsed.value
  items.push(...describeBadJson(parsed.fault))
  return undefined
}
