// What a route is: one value that validates, documents and answers. A capability's `routes.ts` is an array of these.
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Outcome } from '../base/outcome.ts'
import type { ValidationItem } from './validation.ts'

/** A signed-in human. */
export type Session = { readonly userId: string; readonly sessionId: string }

/** An SDK or proxy: a workspace API key. */
export type KeyIdentity = { readonly keyId: string; readonly workspaceId: string }

export const roles = ['viewer', 'member', 'admin', 'owner'] as const
/** What a member may do in an org; each role may do all that the ones before it may. */
export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, wanted: Role): boolean => roles.indexOf(role) >= roles.indexOf(wanted)

export type AuthKind = 'none' | 'session' | 'key'
export type Who<A extends AuthKind> = A extends 'session' ? Session : A extends 'key' ? KeyIdentity : null

/** The status and the public sentence of one refusal code. */
export type PublicRefusal = {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 429
  readonly detail: string
}
export type RefusalTable<C extends string> = Readonly<Record<C, PublicRefusal>>

/** The public form of a refusal that blames one parameter which no schema can judge, such as a cursor: a 422 with this item. */
export type ParameterFault = { readonly status: 422; readonly item: ValidationItem }

export type RequestFacts = {
  readonly id: string
  /** The client's address as the proxy settings let it be known. */
  readonly ip: string
  /** Of a header in lower case; undefined where it is absent, the empty text where it is blank. */
  readonly header: (name: string) => string | undefined
  /** Aborted when the client goes away or the service stops. */
  readonly signal: () => AbortSignal
  /** Whether the credential is still good, for whoever has waited since it was looked at. From memory as a rule. Throws Outage. */
  readonly isStillKnown: () => Promise<boolean>
}

/** What a handler adds to its answer, whether that is a refusal or not. */
export type Reply = { readonly setHeader: (name: string, value: string) => void }

type Shape = z.ZodObject
type OutputOf<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined

export type Input<
  A extends AuthKind,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
> = {
  readonly who: Who<A>
  readonly params: OutputOf<P>
  readonly query: OutputOf<Q>
  readonly body: OutputOf<B>
  readonly request: RequestFacts
  readonly reply: Reply
}

type Common = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI style: /v1/keys/{key_id}. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
}

export type JsonRouteSpec<
  A extends AuthKind,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
  R extends z.ZodType | undefined,
  C extends string,
> = Common & {
  readonly auth: A
  /** Set where the path has {workspace_id}: the caller must be a member of its org with at least this role. No member: the one 404. */
  readonly role?: Role
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly status: 200 | 201 | 202 | 204
  readonly response?: R
  /** Every refusal that the handler may give. */
  readonly refusals?: Readonly<Record<C, PublicRefusal | ParameterFault>>
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that the handler reads; for the document. */
  readonly requestHeaders?: Shape
  /** What the headers mean that the handler adds to its success, by name; for the document. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** The handler may wait for something to come. */
  readonly polls?: true
  readonly handle: (input: Input<A, P, Q, B>) => Promise<Outcome<R extends z.ZodType ? z.input<R> : undefined, C>>
}

/** A JSON route with its type parameters forgotten: what the server and the OpenAPI document work on. */
export type JsonRoute = Common & {
  readonly kind: 'json'
  readonly auth: AuthKind
  readonly role: Role | null
  readonly params: Shape | null
  readonly query: Shape | null
  readonly body: z.ZodType | null
  readonly status: 200 | 201 | 202 | 204
  readonly response: z.ZodType | null
  readonly refusals: Readonly<Record<string, PublicRefusal | ParameterFault>>
  readonly headers: Readonly<Record<string, string>>
  /** Headers that the handler reads; for the document. */
  readonly requestHeaders: Shape | null
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly polls: boolean
  /** The content type of an answer that is streamed: the handler gives a StreamedAnswer, and `response` is one line of it. */
  readonly streams: string | null
  readonly handle: (input: Input<AuthKind, Shape, Shape, z.ZodType>) => Promise<Outcome<unknown, string>>
}

/** An answer that is made while the client reads it. */
export type StreamedAnswer = {
  readonly headers: Readonly<Record<string, string>>
  /** Asked for the next part only when the one before it is on its way. What it throws cuts the connection. */
  readonly parts: AsyncIterable<Buffer>
  /** Sent behind the last part. Asked for their names beforehand. */
  readonly trailers: () => Readonly<Record<string, string>>
  /** Called once however it ends, also where no part was asked for. */
  readonly close: () => void
}

/** How a route that is not JSON answers errors: the ingest route speaks google.rpc.Status in the request's encoding. */
export type ErrorWriter = (ctx: Context, status: number, detail: string) => void

/** A route that reads and writes the HTTP messages itself; authentication still happens before it, without reading the body. */
export type RawRoute = Common & {
  readonly kind: 'raw'
  readonly auth: AuthKind
  /** The operation object of the OpenAPI document (responses, requestBody, parameters). */
  readonly operation: Readonly<Record<string, unknown>>
  readonly writeError?: ErrorWriter
  /** A bug on this route answers 503, for clients that drop their data on 500. */
  readonly bugIsOutage?: boolean
  readonly handle: (ctx: Context, who: Who<AuthKind>, request: RequestFacts) => Promise<void>
}

export type Route = JsonRoute | RawRoute

/** Makes a JSON route; the handler's input and outcome follow from the schemas and the refusal table. */
export function route<
  A extends AuthKind,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
  C extends string = never,
>(spec: JsonRouteSpec<A, P, Q, B, R, C>): JsonRoute {
  return {
    kind: 'json',
    method: spec.method,
    path: spec.path,
    tag: spec.tag,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    auth: spec.auth,
    role: spec.role ?? null,
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    status: spec.status,
    response: spec.response ?? null,
    refusals: spec.refusals ?? {},
    headers: spec.headers ?? {},
    requestHeaders: spec.requestHeaders ?? null,
    responseHeaders: spec.responseHeaders ?? {},
    polls: spec.polls ?? false,
    streams: null,
    // The server calls it with exactly what the schemas above gave; the type parameters cannot follow it there.
    handle: spec.handle as unknown as JsonRoute['handle'],
  }
}

export type StreamRouteSpec<
  A extends AuthKind,
  P extends Shape | undefined,
  Q extends Shape | undefined,
  C extends string,
> = Omit<JsonRouteSpec<A, P, Q, undefined, undefined, C>, 'status' | 'body' | 'response' | 'handle'> & {
  readonly contentType: string
  /** The schema of one line. */
  readonly response: z.ZodType
  readonly handle: (input: Input<A, P, Q, undefined>) => Promise<Outcome<StreamedAnswer, NoInfer<C>>>
}

/** Makes a route that is checked and refused like any other and whose answer is streamed. */
export function streamRoute<
  A extends AuthKind,
  C extends string,
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
>(spec: StreamRouteSpec<A, P, Q, C>): JsonRoute {
  const { contentType, ...common } = spec
  return {
    ...route({ ...common, status: 200 } as unknown as JsonRouteSpec<A, P, Q, undefined, z.ZodType, C>),
    streams: contentType,
  }
}
