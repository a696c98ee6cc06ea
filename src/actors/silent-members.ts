// Members that stopped sending heartbeats without an announcement. They may still run, cut off from this process, and may still reach the
// database.
// Pure.
import type { Heartbeat } from './heartbeat.ts'

export type SilentMembers = {
  hear(heartbeat: Pick<Heartbeat, 'member' | 'draining'>, nowMs: number): void
  /** True if a member that was heard before is not in `live`, has not announced its leave and has not returned under its name. */
  isSomeoneMissing(live: ReadonlySet<string>, nowMs: number): boolean
}

// A member that crashed and was not replaced must not count forever.
const missedForMs = 600_000

/** Members are compared by name: a restarted process replaces the one that crashed. */
export function makeSilentMembers(): SilentMembers {
  const heardAtMs = new Map<string, number>()
  return {
    hear({ member, draining }, nowMs) {
      if (draining) heardAtMs.delete(member)
      else heardAtMs.set(member, nowMs)
    },
    isSomeoneMissing(live, nowMs) {
      for (const [name, atMs] of heardAtMs) if (nowMs - atMs >= missedForMs) heardAtMs.delete(name)
      return heardAtMs.keys().some((name) => !live.has(name))
    },
  }
}
