// SDK. Requests to the service: bounded in time and in bytes, never redirected, and never what keeps a process alive by itself.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export type Ask = {
  readonly method: 'GET' | 'POST'
  /** Below the base URL, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** For the whole exchange. */
  readonly timeoutMs: number
  /** A longer answer is refused before it is held. */
  readonly maxBytes: number
  /** The process may end while this is under way. */
  readonly background: boolean
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** `code`: `timeout`, `too_long`, `encoded`, `stopped`, or what the socket says (`ECONNREFUSED`). */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly code: string

  constructor(code: string) {
    super(`no response from the service: ${code}`)
    this.code = code
  }
}

export type Http = {
  /** Any status is an answer. Throws Unreachable. */
  readonly ask: (ask: Ask) => Promise<Answer>
  /** Ends what is under way, and the connections. */
  readonly stop: () => void
}

// One connection waits for rules, one sends spans, the rest fetch results.
const maxConnections = 32

export function openHttp(baseUrl: URL, apiKey: string): Http {
  const isSecure = baseUrl.protocol === 'https:'
  const settings = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: 8 }
  const agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings)
  const send = isSecure ? httpsRequest : httpRequest
  // With its host in front, for a path that begins with two slashes would be read as one.
  const root = baseUrl.origin + baseUrl.pathname.replace(/\/+$/, '')
  const running = new Set<(error: Unreachable) => void>()
  let isStopped = false

  return {
    ask: (ask) =>
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
          outgoing.once('socket', (socket) => socket.unref())
        }
        running.add(fail)
        // Destroying it makes it say so, once it has been rejected already.
        outgoing.on('error', (error: NodeJS.ErrnoException) => fail(new Unreachable(error.code ?? error.name)))
        // Also where it was closed without a word, as after a change of protocol that nobody asked for.
        outgoing.once('close', () => fail(new Unreachable('closed')))
        outgoing.once('response', (incoming) =>
          collect(incoming, ask.maxBytes, fail, (body) => {
            end()
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body })
          }),
        )
        outgoing.end(ask.body)
      }),
    stop() {
      isStopped = true
      for (const fail of running) fail(new Unreachable('stopped'))
      agent.destroy()
    },
  }
}

function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  fail: (error: Unreachable) => void,
  done: (body: Buffer) => void,
): void {
  // Asked for as it is: nothing is inflated, so nothing can swell.
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

/** Milliseconds since the service last knew its answer to be right; 0 where it does not say. */
export function readAgeMs({ age }: IncomingHttpHeaders): number {
  return age !== undefined && /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0
}

/** Milliseconds that a Retry-After asks for, at most `maxMs`; null where there is none that can be read. */
export function readRetryAfterMs(headers: IncomingHttpHeaders, nowMs: number, maxMs: number): number | null {
  const given = headers['retry-after']
  if (given === undefined) return null
  const waitMs = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - nowMs
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxMs)
}
