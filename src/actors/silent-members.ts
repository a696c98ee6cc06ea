// Members that fell silent without a goodbye: they may run on where nobody hears them, and what they know is unknown. Pure.
import type { Heartbeat } from './heartbeat.ts'

export type SilentMembers = {
  hear(heartbeat: Pick<Heartbeat, 'member' | 'draining'>, nowMs: number): void
  /** True where a member that was heard is not among these, and neither said that it leaves nor is back under its name. */
  isSomeoneMissing(live: ReadonlySet<string>, nowMs: number): boolean
}

// One that crashed and was not replaced must not count for ever.
const missedForMs = 600_000

/** By name: a process that was started again speaks for the one that crashed. */
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
