// The two kinds of thrown failure. Anything thrown that is not an Outage is a bug.

/**
 * The service cannot do this now and the caller should try again.
 * It becomes 503 (or 429 where the caller itself is the cause) with Retry-After.
 */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly retryAfterMs: number
  readonly status: 429 | 503

  constructor(message: string, options: { retryAfterMs?: number; status?: 429 | 503; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs ?? 1_000
    this.status = options.status ?? 503
  }
}
