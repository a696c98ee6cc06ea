// How many exports run at once in this process: a few of one workspace, so that a client that lost its connection need not wait
// until that is noticed, and a few more of all.
import { Outage } from '../../base/fault.ts'

export type ExportSlots = {
  /** Takes a slot and gives the function that returns it. Throws Outage: 429 where the workspace has its share, 503 where all are taken. */
  take(workspaceId: string): () => void
  /** Exports that run. */
  count(): number
}

const perWorkspace = 2
const perProcess = 4
const retryAfterMs = 5_000

export function openExportSlots(): ExportSlots {
  const taken = new Map<string, number>()
  let total = 0
  return {
    take(workspaceId) {
      const own = taken.get(workspaceId) ?? 0
      if (own >= perWorkspace) {
        throw new Outage('the workspace has reached its limit of concurrent exports', { status: 429, retryAfterMs })
      }
      if (total >= perProcess) throw new Outage('too many exports are running', { retryAfterMs })
      taken.set(workspaceId, own + 1)
      total += 1
      let isReturned = false
      return () => {
        if (isReturned) return
        isReturned = true
        total -= 1
        const left = (taken.get(workspaceId) ?? 1) - 1
        if (left > 0) taken.set(workspaceId, left)
        else taken.delete(workspaceId)
      }
    },
    count: () => total,
  }
}
