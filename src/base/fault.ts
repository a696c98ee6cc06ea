// The two kinds of thrown failure. Anything thrown that is not an Outage is a bug.

/**
 * What an Outage comes from. `limit`: a limit of this service, a conflict, or a client that left; it is expected and not logged. `failure`:
 * something that the service needs has failed or did not answer, for example the database, the bus or a decode thread; it is logged.
 */
export type OutageKind = 'limit' | 'failure'

/**
 * The service cannot do this now and the caller should try again.
 * It becomes 503 (or 429 where the caller itself is the cause) with Retry-After.
 */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly kind: OutageKind
  readonly retryAfterMs: number
  readonly status: 429 | 503
  /** A sentence for the caller; undefined: the usual text of the status. */
  readonly detail: string | undefined

  constructor(
    kind: OutageKind,
    message: string,
    options: { retryAfterMs?: number; status?: 429 | 503; detail?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? 1_000
    this.status = options.status ?? 503
    this.detail = options.detail
  }
}
