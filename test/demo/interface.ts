// Requests to the service: retries while it is busy, and reports plainly if it does not answer.
import { setTimeout as wait } from 'node:timers/promises'
import { exportResponseType, rpcStatusType } from '../../src/otlp/protobuf/schema.ts'
import type { ValidationItem } from '../../src/web/validation.ts'
import { CommandFault } from '../_kit/command.ts'

const maxAttempts = 8
const maxWaitMs = 15_000
// Only a request that hangs takes this long: six days of spans are folded while the first figures are read.
const timeoutMs = 120_000

export type Answer = { readonly status: number; readonly json: unknown }

/** Returns the status, and the reason if the answer has one: "status 409: This workspace has …". */
export function describeRefusal({ status, json }: Answer): string {
  const { detail } = (json ?? {}) as { detail?: unknown }
  if (typeof detail === 'string') return `status ${status}: ${detail}`
  if (!Array.isArray(detail)) return `status ${status}`
  return `status ${status}: ${(detail as ValidationItem[]).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')}`
}

/** Throws a CommandFault if the address is that of another program, or of a balancer none of whose fronts answers. */
export async function requireService(url: string): Promise<void> {
  const { status, json } = await callRoute(`${url}/v1/health/live`, 'GET', null)
  if (status === 200 && (json as { status?: unknown } | null)?.status === 'ok') return
  if (status === 502 || status === 504)
    throw new CommandFault(
      `No front of the service at ${url} answers yet (status ${status}). Try again when one is ready.`,
    )
  const answer = `status ${status}${status === 200 ? ' and an unknown body' : ''}`
  throw new CommandFault(
    `${url} is not a Tracewright service: it answers /v1/health/live with ${answer}. Pass the address of the service with --url.`,
  )
}

/** Sends until the answer is neither 429 nor 503. Throws a CommandFault if there is no answer, or if it takes too many attempts. */
async function sendPatiently(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
      const { origin } = new URL(url)
      const reason = (error as Error).name === 'TimeoutError' ? ` within ${timeoutMs / 1_000} s` : ''
      throw new CommandFault(
        `No response from ${origin}${reason}. Start the service with \`npm start\`, or pass its address with --url.`,
      )
    })
    if (response.status !== 429 && response.status !== 503) return response
    if (attempt === maxAttempts) throw new CommandFault(`The service is still too busy after ${attempt} attempts.`)
    await response.body?.cancel()
    const afterS = Number(response.headers.get('retry-after') ?? 1)
    await wait(Math.min(maxWaitMs, Math.max(100, afterS * 1_000 || 1_000)))
  }
}

/** Null for a text that is no JSON, such as the page of another program. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Calls a JSON route, with or without a session token. */
export async function callRoute(url: string, method: string, token: string | null, body?: object): Promise<Answer> {
  const response = await sendPatiently(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: readJson(text) }
}

/** Exports one gzipped protobuf request. Returns the number of rejected spans and the message of the answer. */
export async function exportSpans(
  url: string,
  key: string,
  body: Uint8Array,
): Promise<{ rejected: number; message: string }> {
  const response = await sendPatiently(`${url}/v1/otlp/v1/traces`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    },
    body,
  })
  const answer = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) {
    // A proxy in between answers in another form.
    const isOurs = response.headers.get('content-type') === 'application/x-protobuf'
    const { message } = (isOurs ? rpcStatusType.toObject(rpcStatusType.decode(answer)) : {}) as { message?: string }
    throw new CommandFault(
      `The service rejected the request with ${describeRefusal({ status: response.status, json: { detail: message } })}`,
    )
  }
  const { partialSuccess } = exportResponseType.toObject(exportResponseType.decode(answer), { longs: Number }) as {
    partialSuccess?: { rejectedSpans?: number; errorMessage?: string }
  }
  return { rejected: partialSuccess?.rejectedSpans ?? 0, message: partialSuccess?.errorMessage ?? '' }
}
