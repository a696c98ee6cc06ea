// Ingest requests over real HTTP, and counts of the stored rows.
import { exportResponseType, rpcStatusType } from '../../src/otlp/protobuf/schema.ts'
import type { TestService } from '../_kit/serve.ts'
import { until } from '../_kit/until.ts'

export const tracesPath = '/v1/otlp/v1/traces'
export const protobuf = 'application/x-protobuf'
export const json = 'application/json'

export type Reply = {
  readonly status: number
  readonly headers: Headers
  /** Rejected spans of a 200, the same for both encodings. */
  readonly rejected: number
  /** Of a 200: the warning or the first reasons; of an error: the message of google.rpc.Status. */
  readonly message: string
  /** google.rpc code of an error. */
  readonly code: number | null
  readonly raw: Buffer
}

export type PostOptions = {
  readonly key?: string | null
  /** A null value sends no header. */
  readonly contentType?: string | null
  readonly headers?: Record<string, string>
}

/** Posts to the ingest route once, and reads the answer in the encoding that it states. */
export async function postOnce(
  service: Pick<TestService, 'baseUrl' | 'key'>,
  body: Uint8Array,
  options: PostOptions = {},
): Promise<Reply> {
  const { key = service.key, contentType = protobuf, headers = {} } = options
  const response = await fetch(service.baseUrl + tracesPath, {
    method: 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...headers,
    },
    body: new Uint8Array(body),
  })
  const raw = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: response.headers,
    raw,
    ...readAnswer(response.status, response.headers.get('content-type') ?? '', raw),
  }
}

/** Posts as an exporter does: an answer of 503 is retried, which a machine that stalled may cause. */
export const post = async (...request: Parameters<typeof postOnce>): Promise<Reply> =>
  await answered(async () => await postOnce(...request))

/** Returns the first answer other than 503, which a machine that stalled may cause. */
export async function answered<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  let reply = await ask()
  await until(async () => {
    if (reply.status === 503) reply = await ask()
    return reply.status !== 503
  })
  return reply
}

function readAnswer(status: number, contentType: string, raw: Buffer): Pick<Reply, 'rejected' | 'message' | 'code'> {
  const isJson = contentType.startsWith(json)
  if (!isJson && contentType !== protobuf) throw new Error(`an answer in ${contentType}`)
  const type = status === 200 ? exportResponseType : rpcStatusType
  const message = (isJson ? JSON.parse(raw.toString()) : type.toObject(type.decode(raw), { longs: String })) as {
    partialSuccess?: { rejectedSpans?: string; errorMessage?: string }
    code?: number
    message?: string
  }
  if (status !== 200) return { rejected: 0, message: message.message ?? '', code: message.code ?? null }
  const partial = message.partialSuccess
  return { rejected: Number(partial?.rejectedSpans ?? 0), message: partial?.errorMessage ?? '', code: null }
}

export type Counts = {
  readonly events: number
  readonly payloads: number
  /** Stored counters, which must equal the rows. */
  readonly month: number
  readonly days: number
  readonly traceSpans: number
  readonly agentEvents: number
  readonly duplicate: number
  readonly rejected: number
}

type Query = TestService['query']

/** Returns the rows and counters of one workspace. */
export async function count(query: Query, workspaceId: string): Promise<Counts> {
  const [row] = await query<Counts>(
    `select
      (select count(*)::int from events where workspace_id = $1) as events,
      (select count(*)::int from events e join payload_blocks p on p.workspace_id = e.workspace_id and p.id = e.payload_id where e.workspace_id = $1) as payloads,
      (select coalesce(sum(accepted), 0)::int from usage_months where workspace_id = $1) as month,
      (select coalesce(sum(stored), 0)::int from usage_days where workspace_id = $1) as days,
      (select coalesce(sum(duplicate), 0)::int from usage_days where workspace_id = $1) as duplicate,
      (select coalesce(sum(rejected), 0)::int from usage_days where workspace_id = $1) as rejected,
      (select coalesce(sum(span_count), 0)::int from traces where workspace_id = $1) as "traceSpans",
      (select coalesce(sum(events), 0)::int from agents where workspace_id = $1) as "agentEvents"`,
    [workspaceId],
  )
  if (row === undefined) throw new Error('no counts')
  return row
}

/** Returns the counters that differ from the rows; empty if all are equal. */
export function listDifferences(counts: Counts): string[] {
  const { events, payloads, month, days, traceSpans, agentEvents } = counts
  return Object.entries({ payloads, month, days, traceSpans, agentEvents })
    .filter(([, value]) => value !== events)
    .map(([name, value]) => `${name} ${value} beside ${events} events`)
}
