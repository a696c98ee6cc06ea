// The type of a route: one value that validates, documents and answers. A capability's `routes.ts` exports an array of them.
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Outcome } from '../base/outcome.ts'
import type { ValidationItem } from './validation.ts'

/** A signed-in user. */
export type Session = { readonly userId: string; readonly sessionId: string }

/** An SDK or proxy: a workspace API key. */
export type KeyIdentity = { readonly keyId: string; readonly workspaceId: string }

export const roles = ['viewer', 'member', 'admin', 'owner'] as const
/** What a member may do in an org. Each role includes the rights of the roles before it. */
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

/** The refusal of one parameter that no schema can check, such as a cursor: a 422 with this item. */
export type ParameterFault = { readonly status: 422; readonly item: ValidationItem }

export type RequestFacts = {
  readonly id: string
  /** The client's address, read according to the proxy settings. */
  readonly ip: string
  /** Value of a header, by its name in lower case; undefined if it is absent, the empty string if it is blank. */
  readonly header: (name: string) => string | undefined
  /** Aborted when the client disconnects or the service stops. */
  readonly signal: () => AbortSignal
  /**
   * Whether the credential is still valid, for handlers that have waited since it was checked. Usually answered from memory. Throws Outage.
   */
  readonly isStillKnown: () => Promise<boolean>
}

/** Lets a handler add headers to its answer, be it a success or a refusal. */
export type ReplyHeaders = { readonly setHeader: (name: string, value: string) => void }

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
  readonly reply: ReplyHeaders
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
  /** Required if the path has {workspace_id}: the caller must be a member of its org with at least this role. Others get the common 404. */
  readonly role?: Role
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly status: 200 | 201 | 202 | 204
  readonly response?: R
  /** All refusals that the handler may return. */
  readonly refusals?: Readonly<Record<C, PublicRefusal | ParameterFault>>
  /** Headers that the handler reads; for the OpenAPI document. */
  readonly requestHeaders?: Shape
  /** Headers that the handler adds to a success, each with its description; for the OpenAPI document. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** For a body that may be longer than those of other routes. */
  readonly maxBodyBytes?: number
  /** The handler may wait for new data. */
  readonly polls?: true
  /** The handler ends sessions of the caller. Changes of their other sessions must not prevent it (`limitChanges`). */
  readonly endsSessions?: true
  readonly handle: (input: Input<A, P, Q, B>) => Promise<Outcome<R extends z.ZodType ? z.input<R> : undefined, C>>
}

/** A JSON route without its type parameters: the form that the server and the OpenAPI document use. */
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
  /** Headers that the handler reads; for the OpenAPI document. */
  readonly requestHeaders: Shape | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Null: the limit of the server. */
  readonly maxBodyBytes: number | null
  readonly polls: boolean
  readonly endsSessions: boolean
  /**
   * Called before the body is read, with 1 point, and again with more points before a long body is parsed. Throws an Outage with status 429
   * if the caller exceeds their rate. Null: no rate applies.
   */
  readonly admit: ((who: Who<AuthKind>, points: number) => Promise<void>) | null
  /** The content type of a streamed answer; null: not streamed. The handler returns a StreamedAnswer, and `response` is one line of it. */
  readonly streams: string | null
  readonly handle: (input: Input<AuthKind, Shape, Shape, z.ZodType>) => Promise<Outcome<unknown, string>>
}

/** An answer that is produced while the client reads it. */
export type StreamedAnswer = {
  readonly headers: Readonly<Record<string, string>>
  /** The next part is requested only when the previous one has been handed to the socket. An error cuts the connection. */
  readonly parts: AsyncIterable<Buffer>
  /** Sent after the last part. Called before the first part as well, for the names. */
  readonly trailers: () => Readonly<Record<string, string>>
  /** Called exactly once at the end, even if no part was requested. */
  readonly close: () => void
}

/** Writes an error of a raw route in its own form: the ingest route uses google.rpc.Status in the encoding of the request. */
export type ErrorWriter = (ctx: Context, status: number, detail: string) => void

/** A route that reads and writes the HTTP messages itself. Its caller is still authenticated first, without reading the body. */
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

/** Returns a JSON route. The types of the handler's input and outcome follow from the schemas and the refusal table. */
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
    requestHeaders: spec.requestHeaders ?? null,
    responseHeaders: spec.responseHeaders ?? {},
    maxBodyBytes: spec.maxBodyBytes ?? null,
    polls: spec.polls ?? false,
    endsSessions: spec.endsSessions ?? false,
    admit: null,
    streams: null,
    // The server calls the handler with exactly the output of the schemas above, which the type system cannot follow.
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

/** Returns a route whose answer is streamed, with the same checks and refusals as other routes. */
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
