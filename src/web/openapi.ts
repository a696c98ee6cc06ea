// The OpenAPI 3.1 document, generated from the schemas that also validate requests.
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { interfaceVersion } from './meta-route.ts'
import type { JsonRoute, RawRoute, Route } from './route.ts'

const validationError = z
  .object({
    detail: z.array(
      z
        .object({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
          input: z.unknown().optional(),
          ctx: z.record(z.string(), z.unknown()).optional(),
        })
        .meta({ id: 'ValidationError' }),
    ),
  })
  .meta({ id: 'HTTPValidationError' })

const problem = z.object({ detail: z.string() }).meta({ id: 'Problem' })

// Said once, since these statuses do not depend on the route.
const description = `Observability for LLM agents that finds wasted tool calls and, once proven safe, removes them.

Every route can refuse a request because of HTTP itself, and then closes the connection: 400 if it is not valid HTTP, has no Host or has two \
Authorization headers, 408 if it does not arrive in time, 417 for an Expect header other than 100-continue, 431 if the URL and the headers are \
too large, and 501 for an unknown Transfer-Encoding. The body is a Problem.`

/** Returns the document for these routes, as plain data ready to be serialised. */
export function describeRoutes(routes: readonly Route[]): object {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: route.kind === 'json' ? describeJson(route) : describeRaw(route),
    }
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name }))
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tracewright',
      version: interfaceVersion,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Session access token (ES256)' },
        key: { type: 'http', scheme: 'bearer', description: 'Workspace API key' },
      },
    },
  })
}

function describeCommon(
  route: Route,
): Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'tags' | 'security'> {
  const words = route.path
    .replace(/^\/v1\//, '')
    .replaceAll(/[{}]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return {
    operationId: [route.method.toLowerCase(), ...words].join('_'),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    security: route.auth === 'none' ? [] : [{ [route.auth]: [] }],
  }
}

function describeJson(route: JsonRoute): ZodOpenApiOperationObject {
  const responses: Record<string, object> = {
    [route.status]: {
      ...(route.response === null
        ? { description: route.status === 202 ? 'Accepted' : 'Done' }
        : { description: 'Success', content: { [route.streams ?? 'application/json']: { schema: route.response } } }),
      ...describeHeaders(route.responseHeaders),
    },
  }
  for (const status of listRefusalStatuses(route)) {
    responses[status] = {
      description: describeStatus(status),
      ...describeStatusHeaders(status),
      content: { 'application/json': { schema: problem } },
    }
  }
  if (route.params !== null || route.query !== null || route.body !== null) {
    responses[422] = { description: 'Validation error', content: { 'application/json': { schema: validationError } } }
  }
  return {
    ...describeCommon(route),
    ...(route.params === null && route.query === null && route.requestHeaders === null
      ? {}
      : {
          requestParams: {
            ...(route.params === null ? {} : { path: route.params }),
            ...(route.query === null ? {} : { query: route.query }),
            ...(route.requestHeaders === null ? {} : { header: route.requestHeaders }),
          },
        }),
    ...(route.body === null
      ? {}
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: route.body } },
          },
        }),
    responses,
  } as ZodOpenApiOperationObject
}

function listRefusalStatuses(route: JsonRoute): string[] {
  const statuses = new Set<number>(Object.values(route.refusals).map(({ status }) => status))
  if (route.auth !== 'none') statuses.add(401)
  if (route.role !== null) statuses.add(404)
  if (route.role !== null && route.role !== 'viewer') statuses.add(403)
  if (route.body !== null) statuses.add(413)
  // Filters and a cursor can each be within their limits and still be too long together.
  if (route.query !== null) statuses.add(431)
  statuses.add(503)
  return [...statuses].sort((a, b) => a - b).map(String)
}

const statusTexts: Readonly<Record<string, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'The role of the caller does not allow this',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed since it was read',
  413: 'Body too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  431: 'The URL and the headers are too large',
  503: 'Temporarily unavailable',
}

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } }

/** Headers of a status that a client has to read. */
const statusHeaders: Readonly<Record<string, object>> = {
  401: { 'WWW-Authenticate': { description: 'Always Bearer', schema: { type: 'string', const: 'Bearer' } } },
  429: retryAfter,
  503: retryAfter,
}

const describeStatusHeaders = (status: string): object => {
  const headers = statusHeaders[status]
  return headers === undefined ? {} : { headers }
}

function describeHeaders(meanings: Readonly<Record<string, string>>): object {
  const headers = Object.entries(meanings).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
  )
  return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }
}

const describeStatus = (status: string): string => statusTexts[status] ?? 'Error'

/**
 * The responses that the route declares. If the route needs a credential, they also get the headers of their status, which the server sets.
 */
function describeRaw(route: RawRoute): ZodOpenApiOperationObject {
  if (route.auth === 'none')
    return { ...describeCommon(route), ...route.operation } as unknown as ZodOpenApiOperationObject
  const given = route.operation['responses'] as Readonly<Record<string, object>>
  const responses = Object.fromEntries(
    Object.entries(given).map(([status, response]) => [status, { ...describeStatusHeaders(status), ...response }]),
  )
  return { ...describeCommon(route), ...route.operation, responses }
}
