// Polls the database for keys that other fronts revoked, so that a lost notice delays a revocation by at most a second.
import { Outage } from '../base/fault.ts'
import type { Runner } from '../store/database.ts'

export type RevocationWatchOptions = {
  /** Needs its own connection: a query that waits for others makes keys unusable. */
  readonly db: Pick<Runner, 'rows'>
  readonly clock: { nowMs(): number; after(delayMs: number, run: () => void): () => void }
  readonly forget: (digestHex: string) => void
  readonly forgetAll: () => void
  /** Whether the database is away for all processes, as far as each of them reports: then none can have revoked a key. */
  readonly isDatabaseAway: () => boolean
  /** Called for bugs, and for the first of several outages. */
  readonly onError: (error: unknown) => void
}

export type RevocationWatch = {
  /** False if a key may have been revoked without this front knowing. Only reads the clock. */
  readonly isCurrent: () => boolean
  /** Time since the last query that was answered began; infinite before the first. */
  readonly ageMs: () => number
  stop(): void
}

type Row = {
  last_seq: number
  last_mark: string | null
  seen_mark: string | null
  seq: number | null
  digest_hex: string | null
}
/** The last event that was read. Its mark distinguishes it from an event with the same number in a database that was restored. */
type Seen = { readonly seq: number; readonly mark: string | null }

const everyMs = 400
const trustedForMs = 900
// How long the query after the last good one may take: it counts as hanging exactly when the last good one expires, so there is no gap.
const hangsAfterMs = trustedForMs - everyMs
const maxEvents = 1_000
const nothing = { last_seq: 0, last_mark: null, seen_mark: null }

/** One small query every 400 ms. Not current before the first answer. */
export function openRevocationWatch(options: RevocationWatchOptions): RevocationWatch {
  const { clock } = options
  let seen: Seen | null = null
  let goodAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  /** When the query in progress began. */
  let pendingSinceMs: number | null = null
  let isStopped = false
  let cancel = (): void => undefined

  function take(rows: readonly Row[]): void {
    const { last_seq: seq, last_mark: mark, seen_mark: seenMark } = rows[0] ?? nothing
    // The database was restored to an earlier state, whatever was revoked since, or the last event is more than a day old and was removed.
    const isOther = seen !== null && (seq < seen.seq || seenMark !== seen.mark)
    if (seen === null || isOther || rows.length > maxEvents) options.forgetAll()
    else for (const { digest_hex: digestHex } of rows) if (digestHex !== null) options.forget(digestHex)
    seen = { seq, mark }
  }

  async function check(): Promise<void> {
    const startedAtMs = clock.nowMs()
    pendingSinceMs = startedAtMs
    try {
      take(await options.db.rows<Row>('keys/read-events', [seen?.seq ?? 0, maxEvents]))
      goodAtMs = startedAtMs
      isFailing = false
    } catch (error) {
      if (!isFailing || !(error instanceof Outage)) options.onError(error)
      isFailing = true
    }
    pendingSinceMs = null
    if (!isStopped) cancel = clock.after(Math.max(0, startedAtMs + everyMs - clock.nowMs()), () => void check())
  }

  void check()

  /** The last query failed, or the current one hangs. This shows seconds before its timeout. */
  const isWithoutAnswer = (): boolean =>
    isFailing || (pendingSinceMs !== null && clock.nowMs() - pendingSinceMs >= hangsAfterMs)

  return {
    isCurrent: () => clock.nowMs() - goodAtMs < trustedForMs || (isWithoutAnswer() && options.isDatabaseAway()),
    ageMs: () => clock.nowMs() - goodAtMs,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
