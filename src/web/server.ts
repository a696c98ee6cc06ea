// The HTTP server: maps routes to Koa, reports each request once for log and metrics, and limits times and sizes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { Outage } from '../base/fault.ts'
import { yieldTurn } from '../base/in-slices.ts'
import { listen } from '../base/listen.ts'
import { answerJson } from './answer-json.ts'
import { type Authenticator, authenticate, readClientIp } from './authenticate.ts'
import { hasBody, isBodyIncomplete } from './body/has-body.ts'
import { makeClientErrorListener } from './client-error.ts'
import { type EndedBy, watchConnections } from './connections.ts'
import { makeCors } from './cors.ts'
import { findHeaderFault, type HeaderFault } from './header-fault.ts'
import { inTurn } from './in-turn.ts'
import type { FindPage } from './pages.ts'
import { refuseCaller, writeRefusal, writeThrown } from './refuse.ts'
import { chooseRequestId } from './request-id.ts'
import type { JsonRoute, RawRoute, RequestFacts, Route } from './route.ts'
import { answerUnmatched, SpecificRouter } from './router.ts'
import { securityHeaders } from './security-headers.ts'
import { stopServer } from './stop-server.ts'

export type RequestReport = {
  readonly method: string
  /** The route's path pattern, or "unmatched". Never the path itself, which may contain secrets and has unlimited variants. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  /** The cause of a failure, which the client never sees. */
  readonly error: unknown
}

export type ServeOptions = {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  readonly authenticator: Authenticator
  /** Of a route that sets no limit of its own. */
  readonly maxJsonBodyBytes: number
  /** The number of trusted proxies in front that set X-Forwarded-For; 0 trusts none. */
  readonly trustedProxies: number
  readonly onRequest: (report: RequestReport) => void
  /** Limit of the connections of one address; unset: only the limit of all connections applies. */
  readonly connectionsPerAddress?: number | undefined
  readonly onConnectionEnded?: (by: EndedBy) => void
  /** Answers a request ahead of Koa if memory holds the answer; false leaves the request to its route. */
  readonly fastPath?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Finds the pages and files for browsers, on paths that match no route. */
  readonly findPage?: FindPage | undefined
  /** Origins whose pages may call the routes that take no key; unset: only our own. */
  readonly corsOrigins?: readonly string[] | undefined
  /** How long a client may take to send its headers, to send its whole request, and to begin to read the answer. */
  readonly timeouts?: ServerTimeouts
}

export type ServerTimeouts = {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  readonly readTimeout: number
}

export type WebServer = {
  readonly port: number
  /**
   * Accepts the connections and requests that have arrived, stops listening, waits for requests in progress until the deadline, then cuts
   * their connections.
   */
  stop(deadlineMs: number): Promise<void>
}

const maxConnections = 10_000
const defaultTimeouts: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  readTimeout: 30_000,
}
/** Limit of the URL and the headers together. */
const maxHeaderBytes = 8_192

/** Resolves when the server listens. Throws an error that says what to do if it cannot. */
export async function serve(options: ServeOptions): Promise<WebServer> {
  const stopping = new AbortController()
  const thrown: Thrown = new WeakMap()
  const app = makeApp(options, stopping.signal, thrown)
  const handle = app.callback()
  const server = makeServer(options, (request, response) => {
    // While the service stops, every answer must end its connection; only the regular path does that.
    const mayUseFastPath = !stopping.signal.aborted && findHeaderFault(request) === null
    if (!mayUseFastPath || !answerFast(options, thrown, request, response)) void handle(request, response)
  })
  return {
    port: await listen(server, options.port, options.host),
    stop: async (deadlineMs) => {
      stopping.abort()
      await stopServer(server, deadlineMs)
    },
  }
}

/** What the fast path threw before its answer had begun. The regular path then answers the request, and reports it. */
type Thrown = WeakMap<IncomingMessage, unknown>

function answerFast(
  options: ServeOptions,
  thrown: Thrown,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  try {
    return options.fastPath?.(request, response) === true
  } catch (error) {
    if (!response.headersSent) {
      thrown.set(request, error)
      return false
    }
    if (!response.writableEnded) request.socket.destroy()
    const requestId = chooseRequestId(request.headers['x-request-id'])
    const { method = 'unknown' } = request
    options.onRequest({ method, route: 'unmatched', status: response.statusCode, durationMs: 0, requestId, error })
    return true
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Returns the server with its connection limits. `answer` gets one request of a connection at a time. */
function makeServer(options: ServeOptions, answer: Answer): Server {
  const { readTimeout, ...timeouts } = options.timeouts ?? defaultTimeouts
  const server = createServer({
    ...timeouts,
    keepAliveTimeout: 65_000,
    maxHeaderSize: maxHeaderBytes,
    // The application itself refuses requests without Host, in the form of all other refusals.
    requireHostHeader: false,
  })
  server.maxConnections = maxConnections
  const refuseUnparsed = makeClientErrorListener(maxHeaderBytes, ({ status, requestId }) =>
    options.onRequest({ method: 'unknown', route: 'unmatched', status, durationMs: 0, requestId, error: undefined }),
  )
  server.on('clientError', refuseUnparsed)
  const onEnded = (by: EndedBy): void => options.onConnectionEnded?.(by)
  const perAddress = options.connectionsPerAddress ?? maxConnections
  const connections = watchConnections(
    server,
    { perAddress, headerBytes: maxHeaderBytes, readTimeoutMs: readTimeout },
    { onEnded, onHeaderTooLarge: (socket) => refuseUnparsed({ code: 'HPE_HEADER_OVERFLOW' }, socket) },
  )
  const answerNext = inTurn(answer, (socket) => {
    onEnded('pipelined_requests')
    socket.destroy()
  })
  const take: Answer = (request, response) => {
    if (connections.takeHeader(request)) answerNext(request, response)
  }
  server.on('request', take)
  // With "Expect: 100-continue", the route itself refuses the request before any 100.
  server.on('checkContinue', take)
  // Without a listener, Node answers 417 without a body.
  server.on('checkExpectation', take)
  return server
}

function makeApp(options: ServeOptions, stopping: AbortSignal, thrown: Thrown): Koa {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies })
  app.silent = true
  app.use(async (ctx, next) => await measure(ctx, next, options.onRequest, stopping))
  app.use(async (ctx, next) => {
    if (thrown.has(ctx.req)) throw thrown.get(ctx.req)
    const fault = findHeaderFault(ctx.req)
    if (fault === null) await next()
    else refuseHeaders(ctx, fault)
  })
  // Case-sensitive, so that capitals in a path cannot bypass a proxy's path rules.
  const router = new SpecificRouter({ strict: false, sensitive: true })
  const byPattern = new Map<string, Route>()
  const cors = makeCors(options.corsOrigins ?? [], (method, path) => {
    const [layer] = router.match(path, method).pathAndMethod
    return byPattern.get(`${method} ${String(layer?.path)}`) ?? null
  })
  for (const route of options.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    byPattern.set(`${route.method} ${path}`, route)
    router.register(path, [route.method], async (ctx) => {
      ctx.state['route'] = route.path
      cors.begin(ctx, route)
      await answer(ctx, route, options, stopping)
      cors.end(ctx, route)
    })
  }
  app.use(async (ctx, next) => (cors.answerPreflight(ctx) ? undefined : await next()))
  app.use((ctx, next) => answerUnmatched(ctx, next, options.findPage))
  app.use(router.allowedMethods())
  app.use(router.routes())
  return app
}

function refuseHeaders(ctx: Context, { status, detail }: HeaderFault): void {
  ctx.set('Connection', 'close')
  writeRefusal(ctx, status, detail)
}

async function measure(
  ctx: Context,
  next: () => Promise<void>,
  onRequest: (report: RequestReport) => void,
  stopping: AbortSignal,
): Promise<void> {
  const startedAtMs = performance.now()
  const requestId = chooseRequestId(ctx.get('x-request-id'))
  ctx.state['requestId'] = requestId
  ctx.set('x-request-id', requestId)
  ctx.set(securityHeaders)
  try {
    await next()
  } catch (error) {
    ctx.state['error'] = error
    writeThrown(ctx, error, {})
  }
  // The body may be a part of the packet that is read now.
  if (isBodyIncomplete(ctx.req)) await yieldTurn()
  // Checked at the end, so that requests in progress when the stop began also end their connections. The same applies to a body that is
  // still to come: Node would read all of it, however long it is, before the next request.
  if (stopping.aborted || isBodyIncomplete(ctx.req)) ctx.set('Connection', 'close')
  onRequest({
    method: ctx.method,
    route: (ctx.state['route'] as string | undefined) ?? 'unmatched',
    status: ctx.status,
    durationMs: performance.now() - startedAtMs,
    requestId,
    error: ctx.state['error'],
  })
}

async function answer(ctx: Context, route: Route, options: ServeOptions, stopping: AbortSignal): Promise<void> {
  const writeError = route.kind === 'raw' ? route.writeError : undefined
  try {
    const who = route.auth === 'none' ? null : await authenticate(options.authenticator, route.auth, ctx)
    if (who === null && route.auth !== 'none') {
      // The body of an unauthenticated request is not read.
      if (hasBody(ctx.req)) ctx.set('Connection', 'close')
      return refuseCaller(ctx, route.auth, writeError)
    }
    const { auth } = route
    const isStillKnown = async (): Promise<boolean> =>
      auth === 'none' || (await authenticate(options.authenticator, auth, ctx)) !== null
    const request = readFacts(ctx, stopping, isStillKnown)
    if (route.kind === 'raw') await (route satisfies RawRoute).handle(ctx, who, request)
    else await answerJson(ctx, route satisfies JsonRoute, who, request, options)
  } catch (error) {
    if (!(error instanceof Outage && error.kind === 'limit')) ctx.state['error'] = error
    writeThrown(ctx, error, {
      ...(writeError === undefined ? {} : { writeError }),
      bugIsOutage: route.kind === 'raw' && route.bugIsOutage === true,
    })
  }
}

function readFacts(ctx: Context, stopping: AbortSignal, isStillKnown: () => Promise<boolean>): RequestFacts {
  let signal: AbortSignal | null = null
  return {
    id: ctx.state['requestId'] as string,
    ip: readClientIp(ctx),
    header: (name) => (name in ctx.headers ? ctx.get(name) : undefined),
    isStillKnown,
    // Created only for handlers that wait on it. Not a getter: V8 gives each object literal with a getter its own hidden class, and keeps
    // all of them, with their requests, until the next full collection.
    signal() {
      if (signal === null) {
        const gone = new AbortController()
        // The client may have left while the credential was checked.
        if (ctx.res.closed) gone.abort()
        else ctx.res.once('close', () => gone.abort())
        signal = AbortSignal.any([gone.signal, stopping])
      }
      return signal
    },
  }
}
