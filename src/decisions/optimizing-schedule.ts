// Chooses the workspace that the optimization loop handles next: the one that has been due for longest, however often the others are woken.
import { makeBackoff } from '../base/backoff.ts'

export type Schedule = {
  /** Marks the workspace as due once `passEveryMs` have passed since its last pass began. */
  wake(workspaceId: string, nowMs: number): void
  /** Returns the workspace that has been due for longest, and removes it from the schedule. Returns null if none is due. */
  take(nowMs: number): string | null
  /** Marks the workspace as due at once, after those that are waiting, because its pass is not finished. */
  putBack(workspaceId: string, nowMs: number): void
  /** Reports a failed pass. The workspace is due again after a delay that grows from 1 s to 1 min, however often it is woken. */
  postpone(workspaceId: string, nowMs: number): void
  /** Reports a successful pass: the next failure is delayed by 1 s again. */
  succeed(workspaceId: string): void
  /** Returns for how long the workspace that has waited longest has been due; 0 if none is due. */
  lagMs(nowMs: number): number
  isFull(): boolean
}

const firstDelayMs = 1_000
const maxDelayMs = 60_000

/** Holds at most `maxWorkspaces`; the next tick finds those that did not fit. `take` costs one pass over the waiting ones. */
export function makeSchedule(passEveryMs: number, maxWorkspaces = 10_000): Schedule {
  const dueMs = new Map<string, number>()
  const lastPassMs = new Map<string, number>()
  const backoff = makeBackoff({ firstDelayMs, maxDelayMs, maxKeys: maxWorkspaces })

  function findFirst(): readonly [string, number] | null {
    let first: readonly [string, number] | null = null
    for (const entry of dueMs) if (first === null || entry[1] < first[1]) first = entry
    return first
  }

  return {
    wake(workspaceId, nowMs) {
      if (dueMs.has(workspaceId) || dueMs.size >= maxWorkspaces) return
      dueMs.set(workspaceId, Math.max(nowMs, (lastPassMs.get(workspaceId) ?? Number.NEGATIVE_INFINITY) + passEveryMs))
    },
    take(nowMs) {
      const first = findFirst()
      if (first === null || first[1] > nowMs) return null
      const [workspaceId] = first
      dueMs.delete(workspaceId)
      noteTime(lastPassMs, workspaceId, nowMs, passEveryMs)
      return workspaceId
    },
    putBack: (workspaceId, nowMs) => void dueMs.set(workspaceId, nowMs),
    postpone: (workspaceId, nowMs) => void dueMs.set(workspaceId, backoff.fail(workspaceId, nowMs)),
    succeed: backoff.succeed,
    lagMs: (nowMs) => Math.max(0, nowMs - (findFirst()?.[1] ?? nowMs)),
    isFull: () => dueMs.size >= maxWorkspaces,
  }
}

/** Sets the time of the key, and deletes the entries that are `keepMs` old. The oldest entry comes first in the map. */
export function noteTime(timesMs: Map<string, number>, ownKey: string, nowMs: number, keepMs: number): void {
  // A new time alone would leave the key at its old place, and the entries behind it would be kept.
  timesMs.delete(ownKey)
  timesMs.set(ownKey, nowMs)
  for (const [key, timeMs] of timesMs) {
    if (timeMs > nowMs - keepMs) return
    timesMs.delete(key)
  }
}
