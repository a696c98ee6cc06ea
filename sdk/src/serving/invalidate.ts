// SDK. Requests from the service that results of earlier executions of a tool are no longer served.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Http, readRetryAfterMs, Unreachable } from '../http.ts'

export type Invalidation = {
  readonly tool: string
  readonly version: string | null
  /** Null: the results of all inputs. */
  readonly inputHash: string | null
}

const timeoutMs = 10_000
const maxBytes = 65_536
/** How long a service that is unavailable or limits the rate is asked again. */
const patienceMs = 30_000
const leastWaitMs = 100
/** The pause if no response says when to ask again. */
const pauseMs = 1_000
const tooMany = 429
/** An outage of the service, or a proxy before it that does not reach it. */
const unavailable = new Set([502, 503, 504])

/**
 * Returns null where the service has accepted the invalidation, otherwise the reason: a status or an error code. If the service limits the
 * rate and states when to ask again (Retry-After), or is unavailable (502, 503, 504, or no response), it is asked again for up to 30 s, or
 * until `stopped` aborts: after the time that it states, otherwise after a second. Keeps the process alive until then: if it ended in a
 * pause, other processes would go on serving the results, and a caller that awaits the outcome would never get it.
 */
export async function sendInvalidation(
  http: Pick<Http, 'ask'>,
  invalidation: Invalidation,
  stopped: AbortSignal,
): Promise<string | null> {
  const untilMs = performance.now() + patienceMs
  for (;;) {
    const { why, waitMs } = await send(http, invalidation)
    if (waitMs === null || performance.now() + waitMs > untilMs) return why
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined)
    if (stopped.aborted) return why
  }
}

/** `waitMs`: after which time it may be sent again; null: not again. */
async function send(
  http: Pick<Http, 'ask'>,
  { tool, version, inputHash }: Invalidation,
): Promise<{ readonly why: string | null; readonly waitMs: number | null }> {
  const body = {
    tool_name: tool,
    ...(version === null ? {} : { version }),
    ...(inputHash === null ? {} : { input_hash: inputHash }),
  }
  try {
    const { status, headers } = await http.ask({
      method: 'POST',
      path: '/v1/apply/invalidate',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
      timeoutMs,
      maxBytes,
      background: false,
    })
    // Any other success status comes from a proxy, not from the service.
    if (status === 204) return { why: null, waitMs: null }
    const why = `status_${status}`
    if (status !== tooMany && !unavailable.has(status)) return { why, waitMs: null }
    const askedMs = readRetryAfterMs(headers, Date.now(), Number.POSITIVE_INFINITY)
    if (askedMs !== null) return { why, waitMs: Math.max(askedMs, leastWaitMs) }
    return { why, waitMs: unavailable.has(status) ? pauseMs : null }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { why: error.code, waitMs: error.code === 'stopped' ? null : pauseMs }
  }
}
