// Which members are live, judged by when this process last heard them, on its own clock. Pure.
import type { Heartbeat } from '../heartbeat.ts'

/** One start of a process. */
export type ClusterMember = {
  readonly name: string
  readonly boot: string
  readonly ready: boolean
  readonly draining: boolean
  readonly pgOk: boolean
  readonly pgAnswers: boolean
  /** Time since the last heartbeat. */
  readonly silentMs: number
  readonly isLive: boolean
}

export type ClusterMembers = {
  hear(heartbeat: Heartbeat, nowMs: number): void
  /** Records an owner whose heartbeat was not heard yet. From now on it has as much time as the others. */
  note(name: string, boot: string, nowMs: number): void
  /** Marks a member as dead until it is heard again, because nothing responded on its subject. */
  markDead(boot: string): void
  /**
   * Does not count the last `deafMs` as silence of the others, since this process received nothing. Members that are known to be dead stay
   * dead until they are heard.
   */
  excuse(deafMs: number, nowMs: number): void
  /** This process had no database itself, so the time for which others lack theirs is counted from now. */
  excuseDatabases(nowMs: number): void
  isLive(boot: string, nowMs: number): boolean
  /** True if the member is live, and its database has been unavailable for less than 10 s. */
  canOwn(boot: string, nowMs: number): boolean
  /** The names of the members that partitions may be given to, sorted, and since when the list has been the same. */
  standing(nowMs: number): { readonly names: readonly string[]; readonly sinceMs: number }
  list(nowMs: number): ClusterMember[]
  /** Forgets dead members that nothing refers to any more. */
  prune(isReferred: (boot: string) => boolean, nowMs: number): void
}

const deadAfterMs = 5_000
const withoutDatabaseMs = 10_000

type Entry = {
  readonly name: string
  readonly boot: string
  ready: boolean
  draining: boolean
  pgOk: boolean
  pgAnswers: boolean
  pgBadSinceMs: number | null
  heardAtMs: number
  isBuried: boolean
}

export function makeClusterMembers(): ClusterMembers {
  const entries = new Map<string, Entry>()
  let names: readonly string[] = []
  let sinceMs = 0

  const lives = (entry: Entry, nowMs: number): boolean => !entry.isBuried && nowMs - entry.heardAtMs < deadAfterMs

  function find(name: string, boot: string, nowMs: number): Entry {
    let entry = entries.get(boot)
    if (entry === undefined) {
      const state = { ready: false, draining: false, pgOk: false, pgAnswers: false, pgBadSinceMs: null }
      entry = { name, boot, ...state, heardAtMs: nowMs, isBuried: false }
      entries.set(boot, entry)
    }
    return entry
  }

  const isLive = (boot: string, nowMs: number): boolean => {
    const entry = entries.get(boot)
    return entry !== undefined && lives(entry, nowMs)
  }

  function excuseDatabases(nowMs: number): void {
    for (const entry of entries.values()) if (entry.pgBadSinceMs !== null) entry.pgBadSinceMs = nowMs
  }

  return {
    hear({ member, boot, ready, draining, pgOk, pgAnswers }, nowMs) {
      const entry = find(member, boot, nowMs)
      const pgBadSinceMs = pgOk ? null : (entry.pgBadSinceMs ?? nowMs)
      Object.assign(entry, { ready, draining, pgOk, pgAnswers, pgBadSinceMs, heardAtMs: nowMs, isBuried: false })
    },
    note(name, boot, nowMs) {
      find(name, boot, nowMs)
    },
    markDead(boot) {
      const entry = entries.get(boot)
      if (entry !== undefined) entry.isBuried = true
    },
    excuse(deafMs, nowMs) {
      for (const entry of entries.values()) {
        entry.heardAtMs = Math.min(nowMs, entry.heardAtMs + deafMs)
        if (entry.pgBadSinceMs !== null) entry.pgBadSinceMs = Math.min(nowMs, entry.pgBadSinceMs + deafMs)
      }
    },
    excuseDatabases,
    isLive,
    canOwn(boot, nowMs) {
      const since = entries.get(boot)?.pgBadSinceMs ?? null
      return isLive(boot, nowMs) && (since === null || nowMs - since < withoutDatabaseMs)
    },
    standing(nowMs) {
      const now = new Set<string>()
      for (const entry of entries.values())
        if (entry.ready && entry.pgOk && !entry.draining && lives(entry, nowMs)) now.add(entry.name)
      if (now.size !== names.length || names.some((name) => !now.has(name))) {
        names = [...now].sort()
        sinceMs = nowMs
      }
      return { names, sinceMs }
    },
    list: (nowMs) =>
      [...entries.values()].map((entry) => {
        const { name, boot, ready, draining, pgOk, pgAnswers } = entry
        const silentMs = nowMs - entry.heardAtMs
        return { name, boot, ready, draining, pgOk, pgAnswers, silentMs, isLive: lives(entry, nowMs) }
      }),
    prune(isReferred, nowMs) {
      for (const entry of entries.values())
        if (!lives(entry, nowMs) && !isReferred(entry.boot)) entries.delete(entry.boot)
    },
  }
}
