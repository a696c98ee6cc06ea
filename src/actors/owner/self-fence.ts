// Whether this process may answer for what it owns: asked on every message, by the clock and never by a timer. Pure.
import type { Clock } from '../clock.ts'

/** `starting`: nothing was heard yet. `echo`: our own heartbeats do not come back. `database`: alone, and blind as well. */
export type FenceReason = 'starting' | 'echo' | 'database'

export type SelfFence = {
  /** Once it is false it stays so until `reopen`. Costs a look at the clock. */
  mayAnswer(): boolean
  /** A heartbeat of ours came back. When it was sent counts: it may have waited here for long. */
  hearEcho(sentAtMs: number): void
  /** The database answered a question that was put at that time. */
  hearDatabase(askedAtMs: number): void
  /** Only after the database was asked anew. False where there is no fresh echo. */
  reopen(): boolean
  readonly echoAgeMs: () => number
  readonly databaseAgeMs: () => number
  /** Null: open. */
  readonly reason: () => FenceReason | null
  /** How often it closed. */
  readonly counts: () => Readonly<Record<FenceReason, number>>
}

export type SelfFenceOptions = {
  readonly clock: Pick<Clock, 'nowMs'>
  /** True where a member is gone that was there when the database answered last: others may have taken over. */
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
      // A gap must not pass unnoticed because its end comes before the next message.
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
