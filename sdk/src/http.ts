// SDK. Requests to the service, limited in time and in bytes and never redirected. Background requests do not keep the process alive.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'

export type Ask = {
  readonly method: 'GET' | 'POST'
  /** Relative to the base URL, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** For the whole request and its answer. */
  readonly timeoutMs: number
  /** A longer answer is refused before it is buffered. */
  readonly maxBytes: number
  /** Whether the process may exit while the request is in progress. */
  readonly background: boolean
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** `code`: `timeout`, `too_long`, `encoded`, `cut_short`, `closed`, `stopped`, or the code of the socket error (`ECONNREFUSED`). */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly code: string

  constructor(code: string) {
    super(`no response from the service: ${code}`)
    this.code = code
  }
}

export type Http = {
  /** Resolves to the answer, whatever its status. Rejects with Unreachable. */
  readonly ask: (ask: Ask) => Promise<Answer>
  /** Ends all requests in progress and closes the connections. */
  readonly stop: () => void
}

// One connection waits for rules, one sends spans, the rest fetch results.
const maxConnections = 32

export function openHttp(baseUrl: URL, apiKey: string): Http {
  const isSecure = baseUrl.protocol === 'https:'
  const settings = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: 8 }
  const agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings)
  const send = isSecure ? httpsRequest : httpRequest
  // The origin is part of the string: a path that begins with two slashes would otherwise be parsed as a host.
  const root = baseUrl.origin + baseUrl.pathname.replace(/\/+$/, '')
  const running = new Set<(error: Unreachable) => void>()
  let isStopped = false

  const request = (ask: Ask): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      if (isStopped) return reject(new Unreachable('stopped'))
      const headers = {
        authorization: `Bearer ${apiKey}`,
        ...(ask.body === undefined ? {} : { 'content-length': String(ask.body.length) }),
        ...ask.headers,
      }
      const outgoing = send(new URL(root + ask.path), { agent, method: ask.method, headers })
      const end = (): void => {
        clearTimeout(timer)
        running.delete(fail)
      }
      const fail = (error: Unreachable): void => {
        if (!running.has(fail)) return
        end()
        reject(error)
        outgoing.destroy()
      }
      const timer = setTimeout(() => fail(new Unreachable('timeout')), ask.timeoutMs)
      if (ask.background) {
        timer.unref()
        outgoing.once('socket', unref)
      }
      running.add(fail)
      // `destroy` also emits an error; the promise is already rejected then.
      outgoing.on('error', (error: NodeJS.ErrnoException) => fail(new Unreachable(error.code ?? error.name)))
      // For a connection that closes without an error, as after an upgrade of the protocol that was not requested.
      outgoing.once('close', () => fail(new Unreachable('closed')))
      outgoing.once('response', (incoming) =>
        collect(incoming, ask.maxBytes, fail, (body) => {
          end()
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body })
        }),
      )
      outgoing.end(ask.body)
    })

  return {
    // An instrumentation of the HTTP client would make a span of each request, whose export would make the next one.
    ask: (ask) => context.with(suppressTracing(context.active()), () => request(ask)),
    stop() {
      isStopped = true
      for (const fail of running) fail(new Unreachable('stopped'))
      agent.destroy()
    },
  }
}

/** Node replaces the handle of a socket, and with it the effect of `unref`, when it tries the next address of a host. */
function unref(socket: Socket): void {
  socket.unref()
  if (socket.connecting) socket.on('connectionAttempt', () => socket.unref())
}

function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  fail: (error: Unreachable) => void,
  done: (body: Buffer) => void,
): void {
  // No compression was requested, and nothing is inflated: a small body cannot expand.
  if (incoming.headers['content-encoding'] !== undefined) return fail(new Unreachable('encoded'))
  const chunks: Buffer[] = []
  let bytes = 0
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) fail(new Unreachable('too_long'))
    else chunks.push(chunk)
  })
  incoming.on('error', (error: NodeJS.ErrnoException) => fail(new Unreachable(error.code ?? error.name)))
  incoming.once('end', () => {
    if (incoming.complete) done(Buffer.concat(chunks))
    else fail(new Unreachable('cut_short'))
  })
}

/** Returns the milliseconds since the service last knew its answer to be right; 0 where it sends no age. */
export function readAgeMs({ age }: IncomingHttpHeaders): number {
  return age !== undefined && /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0
}

/** Returns the milliseconds that Retry-After asks for, at most `maxMs`; null where the header is absent or invalid. */
export function readRetryAfterMs(headers: IncomingHttpHeaders, nowMs: number, maxMs: number): number | null {
  const given = headers['retry-after']
  if (given === undefined) return null
  const waitMs = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - nowMs
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxMs)
}
