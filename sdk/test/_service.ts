// A stand-in for the service: answers as told, right or wrong, and keeps the spans that it was sent.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import { until } from '../../test/_kit/until.ts'

export type ReceivedRequest = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  /** Unix milliseconds. */
  readonly startMs: number
  readonly durationMs: number
  readonly isError: boolean
  readonly attributes: Record<string, unknown>
}

export type RuleInput = {
  readonly decision_id: string
  readonly type: string
  readonly tool_name: string
  readonly input_hash: string | null
  readonly agent_id?: string | null
  readonly agent_name?: string | null
  readonly freshness_s?: number
  readonly holdout_rate?: number
  readonly tool_version?: string | null
  readonly inputs?: readonly string[] | null
  readonly executed_after?: string | null
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Endpoint = 'rules' | 'result' | 'invalidate' | 'traces'

export type FakeService = {
  readonly url: string
  readonly spans: ReceivedRequest[]
  /** `GET /v1/…` of each request, in order. */
  readonly requests: string[]
  readonly headers: IncomingHttpHeaders[]
  /** The bodies of all requests to invalidate. */
  readonly invalidations: object[]
  /** The bytes of all requests for spans, inflated. */
  readonly sent: Buffer[]
  readonly setRules: (rules: readonly RuleInput[]) => void
  /** Polls for other rules than the current ones that have not been answered, of clients that still wait. */
  readonly waitingPolls: () => number
  /** What the decision's result is answered with; anything else is a 404. */
  readonly store: (decisionId: string, body: object) => void
  /** Until told otherwise, the endpoint is answered by this. */
  readonly answer: (endpoint: Endpoint, handler: Handler | null) => void
  /** The spans, once there are so many of this name, in the order in which they began: requests that are under way at once arrive in any order. */
  readonly received: (name: string, count?: number) => Promise<ReceivedRequest[]>
  readonly stop: () => Promise<void>
}

function endpointOf(path: string): Endpoint {
  if (path.startsWith('/v1/apply/rules')) return 'rules'
  if (path.startsWith('/v1/apply/invalidate')) return 'invalidate'
  return path.startsWith('/v1/apply/') ? 'result' : 'traces'
}

export const deadUrl = 'http://127.0.0.1:9'

export async function startFakeService(): Promise<FakeService> {
  const spans: ReceivedRequest[] = []
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const sent: Buffer[] = []
  const invalidations: object[] = []
  const results = new Map<string, object>()
  const handlers = new Map<Endpoint, Handler>()
  const parked = new Set<() => void>()
  let version = 0
  let rules: readonly RuleInput[] = []

  const json = (response: ServerResponse, status: number, body: object, more: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...more })
    response.end(JSON.stringify(body))
  }

  const answers: Record<Endpoint, Handler> = {
    rules(request, response) {
      const write = (): void => {
        if (request.headers['if-none-match'] === `"${version}"`) {
          response.writeHead(304, { etag: `"${version}"` })
          response.end()
          return
        }
        const full = rules.map((rule) => ({
          freshness_s: 3_600,
          holdout_rate: 0,
          agent_id: null,
          agent_name: null,
          ...rule,
        }))
        json(response, 200, { version, poll_after_s: 30, rules: full }, { etag: `"${version}"` })
      }
      const waits = new URL(request.url ?? '', 'http://x').searchParams.has('wait')
      if (!waits || request.headers['if-none-match'] !== `"${version}"`) return write()
      parked.add(write)
      response.once('close', () => parked.delete(write))
    },
    result(request, response) {
      const id = new URL(request.url ?? '', 'http://x').searchParams.get('decision_id') ?? ''
      const body = results.get(id)
      if (body === undefined) json(response, 404, { detail: 'Not Found' })
      else json(response, 200, body)
    },
    invalidate(request, response) {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        invalidations.push(JSON.parse(Buffer.concat(chunks).toString()) as object)
        response.writeHead(204).end()
      })
    },
    traces(request, response) {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        const bytes = gunzipSync(Buffer.concat(chunks))
        sent.push(bytes)
        spans.push(...readSpans(bytes))
        response.writeHead(200, { 'content-type': 'application/x-protobuf' })
        response.end()
      })
    },
  }

  // A connection that the server closes while a client begins a request on it looks like an outage.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = request.url ?? ''
    headers.push(request.headers)
    requests.push(`${request.method ?? ''} ${path}`)
    const endpoint = endpointOf(path)
    const handler = handlers.get(endpoint) ?? answers[endpoint]
    handler(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    headers,
    sent,
    invalidations,
    setRules(next) {
      rules = next
      version += 1
      for (const write of parked) write()
      parked.clear()
    },
    waitingPolls: () => parked.size,
    store: (decisionId, body) => void results.set(decisionId, body),
    answer(endpoint, handler) {
      if (handler === null) handlers.delete(endpoint)
      else handlers.set(endpoint, handler)
    },
    async received(name, count = 1) {
      const named = (): ReceivedRequest[] =>
        spans.filter((span) => span.name === name).toSorted((one, other) => one.startMs - other.startMs)
      await until(() => named().length >= count)
      return named()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Value = {
  stringValue?: string
  boolValue?: boolean
  intValue?: number | { toString(): string }
  doubleValue?: number
  arrayValue?: { values?: Value[] }
}
type WireSpan = {
  name: string
  traceId: Uint8Array
  spanId: Uint8Array
  parentSpanId?: Uint8Array
  startTimeUnixNano: { toString(): string }
  endTimeUnixNano: { toString(): string }
  status?: { code?: number }
  attributes?: { key: string; value: Value }[]
}

function plain(value: Value): unknown {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plain)
  if (value.intValue !== undefined && value.intValue !== null) return Number(value.intValue.toString())
  return value.stringValue ?? value.boolValue ?? value.doubleValue
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')

function readSpans(bytes: Buffer): ReceivedRequest[] {
  const request = exportRequestType.toObject(exportRequestType.decode(bytes), { enums: Number }) as {
    resourceSpans?: { scopeSpans?: { spans?: WireSpan[] }[] }[]
  }
  const listed = (request.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans ?? [])
  return listed
    .flatMap(({ spans }) => spans ?? [])
    .map((span) => ({
      name: span.name,
      traceId: hex(span.traceId),
      spanId: hex(span.spanId),
      parentSpanId: hex(span.parentSpanId),
      // A number cannot hold the nanoseconds: rounded, a start could come before the millisecond that it is at.
      startMs: Number(BigInt(span.startTimeUnixNano.toString()) / 1_000n) / 1_000,
      durationMs: Number(BigInt(span.endTimeUnixNano.toString()) - BigInt(span.startTimeUnixNano.toString())) / 1e6,
      isError: span.status?.code === 2,
      attributes: Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, plain(value)])),
    }))
}

/** What the service answers of a real execution's span. */
export function storedResult(span: ReceivedRequest, decisionId: string, changes: object = {}): object {
  const attribute = (part: string): unknown => span.attributes[`tracewright.tool.${part}`]
  const now = Date.now()
  return {
    content_hash: attribute('content_hash'),
    ciphertext_b64: attribute('ciphertext'),
    iv_b64: attribute('iv'),
    tag_b64: attribute('tag'),
    key_id: attribute('key_id'),
    cached_at: new Date(now - 1_000).toISOString(),
    expires_at: new Date(now + 3_600_000).toISOString(),
    decision_id: decisionId,
    ...changes,
  }
}
