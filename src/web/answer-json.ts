// Handles a JSON route from the verified credential to the written answer: validation, membership, handler, refusal.

import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { z } from 'zod'
import { writeStream } from './answer-stream.ts'
import type { Authenticator } from './authenticate.ts'
import { hasBody } from './body/has-body.ts'
import { inflate } from './body/inflate.ts'
import { parseJsonBody } from './body/parse-json-body.ts'
import { readQuery } from './read-query.ts'
import { forbidden, notFound, unauthorized, writeInvalid, writeRefusal } from './refuse.ts'
import {
  isAtLeast,
  type JsonRoute,
  type PublicRefusal,
  type ReplyHeaders,
  type RequestFacts,
  type Session,
  type StreamedAnswer,
} from './route.ts'
import { describeBadJson, describeIssues, type ValidationItem } from './validation.ts'

// Longer than most reads that do not wait. Rechecking costs next to nothing, since sessions and roles are cached in memory.
const longReadMs = 250

// Without a credential: a sign-up, the longest of these bodies, takes less. 1 MiB of nested brackets takes 0.5 s to parse.
const maxOpenBodyBytes = 16_384

type Options = { readonly authenticator: Authenticator; readonly maxJsonBodyBytes: number }

/** The interface promises this order of errors: 401 (checked earlier), 422 for invalid input, then 404 or 403 for the membership. */
export async function answerJson(
  ctx: Context,
  route: JsonRoute,
  who: unknown,
  request: RequestFacts,
  options: Options,
): Promise<void> {
  // Nearly all answers hold data of an account or a workspace, which neither a proxy nor the disk of a browser may keep.
  ctx.set('Cache-Control', 'no-store')
  const items: ValidationItem[] = []
  const params = check('path', route.params, ctx['params'] as unknown, items)
  const query = check('query', route.query, readQuery(ctx), items)
  const body = route.body === null ? undefined : await readBody(ctx, route.body, findMaxBytes(route, options), items)
  if (ctx.status === 413) return
  if (items.length > 0) return writeInvalid(ctx, items)

  const roleFault = await findRoleFault(route, who, params, options.authenticator)
  if (roleFault !== null) return writeRefusal(ctx, roleFault.status, roleFault.detail)

  const startedAtMs = performance.now()
  const reply: ReplyHeaders = { setHeader: (name, value) => ctx.set(name, value) }
  const outcome = await route.handle({ who, params, query, body, request, reply } as Parameters<JsonRoute['handle']>[0])
  // The session and the role may end while a read waits. A stream rechecks them itself.
  const isLate = route.method === 'GET' && route.streams === null && performance.now() - startedAtMs > longReadMs
  if (isLate && !(await request.isStillKnown())) return writeRefusal(ctx, unauthorized.status, unauthorized.detail)
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

const findMaxBytes = ({ auth, maxBodyBytes }: JsonRoute, { maxJsonBodyBytes }: Options): number =>
  auth === 'none' ? Math.min(maxOpenBodyBytes, maxJsonBodyBytes) : (maxBodyBytes ?? maxJsonBodyBytes)

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

const faultTexts = {
  'unknown coding': 'the content encoding must be gzip, deflate, br or none',
  damaged: 'the body could not be read',
}

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
      if ((error as { status?: number }).status === 413) refuseLarge()
      else items.push(...describeBadJson(faultTexts.damaged))
    },
  })
  if (/100-continue/i.test(ctx.get('expect'))) {
    if (Number(ctx.get('content-length') || 0) > maxBytes) {
      refuseLarge()
      return undefined
    }
    ctx.res.writeContinue()
  }
  const coding = ctx.get('content-encoding') || 'identity'
  // The body reader must not decompress (`inflate`).
  delete ctx.req.headers['content-encoding']
  await read(ctx, () => Promise.resolve())
  const { body } = ctx.request as { body?: string }
  // The reader returns the empty string for an absent body.
  if (body === undefined || body === '') return undefined
  const inflated = await inflate(Buffer.from(body, 'latin1'), coding, maxBytes)
  if (!inflated.ok) {
    if (inflated.fault === 'too large') refuseLarge()
    else items.push(...describeBadJson(faultTexts[inflated.fault]))
    return undefined
  }
  const parsed = parseJsonBody(inflated.bytes)
  if (parsed.ok) return parsed.value
  items.push(...describeBadJson(parsed.fault))
  return undefined
}
