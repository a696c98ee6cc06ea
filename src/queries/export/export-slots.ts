// Limits concurrent exports in this process: a few per workspace, so that a client that lost its connection need not wait until the server
// notices, and a few more in total.
import { Outage } from '../../base/fault.ts'

export type ExportSlots = {
  /**
   * Takes a slot and returns a function that releases it. Throws Outage: 429 if the workspace uses its share, 503 if all slots are in use.
   */
  take(workspaceId: string): () => void
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
        throw new Outage('limit', 'the workspace has reached its limit of concurrent exports', {
          status: 429,
          retryAfterMs,
        })
      }
      if (total >= perProcess) throw new Outage('limit', 'too many exports are running', { retryAfterMs })
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
  }
}
