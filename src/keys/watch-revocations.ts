// Keys that other fronts revoke, read from the database, so that a lost notice costs no more than a second.
import { Outage } from '../base/fault.ts'
import type { Runner } from '../store/database.ts'

export type RevocationWatchOptions = {
  /** With a connection of its own: a look that waits for others makes keys unusable. */
  readonly db: Pick<Runner, 'rows'>
  readonly clock: { nowMs(): number; after(delayMs: number, run: () => void): () => void }
  readonly forget: (digestHex: string) => void
  readonly forgetAll: () => void
  /** The database is away for everybody, as far as everybody says: then nobody can have revoked anything. */
  readonly isDatabaseAway: () => boolean
  /** Told of bugs, and of the first of several outages. */
  readonly onError: (error: unknown) => void
}

export type RevocationWatch = {
  /** False where a key may have been revoked that this front has not heard of. Costs a look at the clock. */
  readonly isCurrent: () => boolean
  /** Since the last question that was answered; infinite before the first. */
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
/** The last event that was read. The mark is its own: in a database that was put back another one may have its number. */
type Seen = { readonly seq: number; readonly mark: string | null }

const everyMs = 400
const trustedForMs = 900
// Of the look after the last good one: it is given up when that one counts no more, and no moment is left between.
const hangsAfterMs = trustedForMs - everyMs
const maxEvents = 1_000
const nothing = { last_seq: 0, last_mark: null, seen_mark: null }

/** One small query every 400 ms. Not current before the first has been answered. */
export function openRevocationWatch(options: RevocationWatchOptions): RevocationWatch {
  const { clock } = options
  let seen: Seen | null = null
  let goodAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  /** When the look that is under way began. */
  let pendingSinceMs: number | null = null
  let isStopped = false
  let cancel = (): void => undefined

  function take(rows: readonly Row[]): void {
    const { last_seq: seq, last_mark: mark, seen_mark: seenMark } = rows[0] ?? nothing
    // The database was put back to an earlier state, however much was revoked there since; or a day has passed.
    const isOther = seen !== null && (seq < seen.seq || seenMark !== seen.mark)
    if (seen === null || isOther || rows.length > maxEvents) options.forgetAll()
    else for (const { digest_hex: digestHex } of rows) if (digestHex !== null) options.forget(digestHex)
    seen = { seq, mark }
  }

  async function look(): Promise<void> {
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
    if (!isStopped) cancel = clock.after(Math.max(0, startedAtMs + everyMs - clock.nowMs()), () => void look())
  }

  void look()

  /** It failed, or hangs: that is seconds before its own time is up. */
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
