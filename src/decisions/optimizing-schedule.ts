// Which workspace the optimization loop looks at next: whoever has been due for longest, no matter who makes the most noise.

export type Schedule = {
  /** Something happened there: due once `lookEveryMs` have passed since the last look began. */
  wake(workspaceId: string, nowMs: number): void
  /** The workspace that has been due for longest, which is due no more; null where none is. */
  take(nowMs: number): string | null
  /** It has not had all its time: due again at once, after those that are waiting. */
  putBack(workspaceId: string, nowMs: number): void
  /** Looking failed: due again later and later, from 1 s to 1 min, however often it is woken. */
  postpone(workspaceId: string, nowMs: number): void
  /** Looking went well. */
  succeed(workspaceId: string): void
  /** How long the one that is due for longest has been; 0 where none is. */
  lagMs(nowMs: number): number
  isFull(): boolean
}

const firstDelayMs = 1_000
const maxDelayMs = 60_000

/** Holds at most `maxWorkspaces`: who finds no place is found by the next tick. `take` costs one pass over those that wait. */
export function makeSchedule(lookEveryMs: number, maxWorkspaces = 10_000): Schedule {
  const dueMs = new Map<string, number>()
  const lookedMs = new Map<string, number>()
  const delays = new Map<string, number>()

  function findFirst(): readonly [string, number] | null {
    let first: readonly [string, number] | null = null
    for (const entry of dueMs) if (first === null || entry[1] < first[1]) first = entry
    return first
  }

  return {
    wake(workspaceId, nowMs) {
      if (dueMs.has(workspaceId) || dueMs.size >= maxWorkspaces) return
      dueMs.set(workspaceId, Math.max(nowMs, (lookedMs.get(workspaceId) ?? Number.NEGATIVE_INFINITY) + lookEveryMs))
    },
    take(nowMs) {
      const first = findFirst()
      if (first === null || first[1] > nowMs) return null
      const [workspaceId] = first
      dueMs.delete(workspaceId)
      forgetOld(lookedMs, nowMs - lookEveryMs)
      lookedMs.set(workspaceId, nowMs)
      return workspaceId
    },
    putBack: (workspaceId, nowMs) => void dueMs.set(workspaceId, nowMs),
    postpone(workspaceId, nowMs) {
      const delayMs = Math.min(maxDelayMs, (delays.get(workspaceId) ?? firstDelayMs / 2) * 2)
      delays.delete(workspaceId)
      delays.set(workspaceId, delayMs)
      const oldest = delays.keys().next().value
      if (delays.size > maxWorkspaces && oldest !== undefined) delays.delete(oldest)
      dueMs.set(workspaceId, nowMs + delayMs)
    },
    succeed: (workspaceId) => void delays.delete(workspaceId),
    lagMs: (nowMs) => Math.max(0, nowMs - (findFirst()?.[1] ?? nowMs)),
    isFull: () => dueMs.size >= maxWorkspaces,
  }
}

/** The oldest stand first. */
function forgetOld(timesMs: Map<string, number>, untilMs: number): void {
  for (const [key, timeMs] of timesMs) {
    if (timeMs > untilMs) return
    timesMs.delete(key)
  }
}
