// Whether this process may answer for its partitions. Decided by the clock on every message, never by a timer. Pure.
import type { Clock } from '../clock.ts'

/**
 * `starting`: nothing was received yet. `echo`: its own heartbeats do not come back. `database`: the database does not answer and a member
 * is missing.
 */
export type FenceReason = 'starting' | 'echo' | 'database'

export type SelfFence = {
  /** Once false, it stays false until `reopen`. Costs one reading of the clock. */
  mayAnswer(): boolean
  /** Records the echo of an own heartbeat. The time of sending counts, since the echo may have waited in this process for long. */
  hearEcho(sentAtMs: number): void
  /** Records an answer of the database to a query that was sent at `askedAtMs`. */
  hearDatabase(askedAtMs: number): void
  /** Call it only after reading the database again. Returns false if there is no recent echo. */
  reopen(): boolean
  readonly echoAgeMs: () => number
  readonly databaseAgeMs: () => number
  /** Null: open. */
  readonly reason: () => FenceReason | null
  /** How often the fence closed, by reason. */
  readonly counts: () => Readonly<Record<FenceReason, number>>
}

export type SelfFenceOptions = {
  readonly clock: Pick<Clock, 'nowMs'>
  /** True if a member that was live at the last answer of the database is gone: other members may have taken over. */
  readonly isSomeoneMissing: () => boolean
  readonly onClosed: (reason: FenceReason) => void
}

const echoLimitMs = 3_000
const blindLimitMs = 15_000

/** Closed at first. */
export function makeSelfFence({ clock, isSomeoneMissing, onClosed }: SelfFenceOptions): SelfFence {
  const counts: Record<FenceReason, number> = { starting: 0, echo: 0, database: 0 }
  let reason: FenceReason | null = 'starting'
  let echoMs = Number.NEGATIVE_INFINITY
  let databaseMs = Number.NEGATIVE_INFINITY

  const echoAgeMs = (): number => clock.nowMs() - echoMs
  const databaseAgeMs = (): number => clock.nowMs() - databaseMs

  function close(because: FenceReason): false {
    reason = because
    counts[because] += 1
    onClosed(because)
    return false
  }

  function mayAnswer(): boolean {
    if (reason !== null) return false
    if (echoAgeMs() >= echoLimitMs) return close('echo')
    if (databaseAgeMs() >= blindLimitMs && isSomeoneMissing()) return close('database')
    return true
  }

  return {
    mayAnswer,
    hearEcho(sentAtMs) {
      // Checked first, so that a gap is noticed even if it ends before the next message.
      mayAnswer()
      if (reason === 'database' && echoAgeMs() >= echoLimitMs) reason = 'echo'
      echoMs = Math.max(echoMs, sentAtMs)
    },
    hearDatabase(askedAtMs) {
      mayAnswer()
      databaseMs = Math.max(databaseMs, askedAtMs)
    },
    reopen() {
      if (echoAgeMs() >= echoLimitMs) return false
      reason = null
      return true
    },
    echoAgeMs,
    databaseAgeMs,
    reason: () => reason,
    counts: () => counts,
  }
}
