// Workspaces whose rollup work failed: retried at growing intervals, without delaying the others.

export type Postponed = {
  has(workspaceId: string, nowMs: number): boolean
  /** Records another failure. The delay doubles each time, from 1 s to 10 min. */
  add(workspaceId: string, nowMs: number): void
  remove(workspaceId: string): void
}

const firstDelayMs = 1_000
const maxDelayMs = 600_000
// Beyond this number the oldest entry is dropped; its workspace is retried at once and may fail again.
const maxWorkspaces = 1_000

export function makePostponed(): Postponed {
  const entries = new Map<string, { readonly untilMs: number; readonly delayMs: number }>()
  return {
    has: (workspaceId, nowMs) => (entries.get(workspaceId)?.untilMs ?? Number.NEGATIVE_INFINITY) > nowMs,
    add(workspaceId, nowMs) {
      const delayMs = Math.min(maxDelayMs, (entries.get(workspaceId)?.delayMs ?? firstDelayMs / 2) * 2)
      entries.delete(workspaceId)
      entries.set(workspaceId, { untilMs: nowMs + delayMs, delayMs })
      const oldest = entries.keys().next().value
      if (entries.size > maxWorkspaces && oldest !== undefined) entries.delete(oldest)
    },
    remove: (workspaceId) => void entries.delete(workspaceId),
  }
}
