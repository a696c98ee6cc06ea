// Floor 3. Keys that other fronts revoke, read from the database, so that a lost notice costs no more than a second.
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

type Row = { last_seq: number; seq: number | null; digest_hex: string | null }

const everyMs = 400
const trustedForMs = 900
const maxEvents = 1_000

/** One small query every 400 ms. Not current before the first has been answered. */
export function openRevocationWatch(options: RevocationWatchOptions): RevocationWatch {
  const { clock } = options
  let lastSeq: number | null = null
  let goodAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  let isStopped = false
  let cancel = (): void => undefined

  function take(rows: readonly Row[]): void {
    const newest = rows[0]?.last_seq ?? 0
    // The first look, more than one look takes, or a database that was put back to an earlier state.
    if (lastSeq === null || rows.length > maxEvents || newest < lastSeq) options.forgetAll()
    else for (const { digest_hex: digestHex } of rows) if (digestHex !== null) options.forget(digestHex)
    lastSeq = newest
  }

  async function look(): Promise<void> {
    const startedAtMs = clock.nowMs()
    try {
      take(await options.db.rows<Row>('keys/read-events', [lastSeq ?? 0, maxEvents]))
      goodAtMs = startedAtMs
      isFailing = false
    } catch (error) {
      if (!isFailing || !(error instanceof Outage)) options.onError(error)
      isFailing = true
    }
    if (!isStopped) cancel = clock.after(Math.max(0, startedAtMs + everyMs - clock.nowMs()), () => void look())
  }

  void look()

  return {
    isCurrent: () => clock.nowMs() - goodAtMs < trustedForMs || (isFailing && options.isDatabaseAway()),
    ageMs: () => clock.nowMs() - goodAtMs,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
