// Limits concurrent exports in this process: a few per workspace and per user, so that a client that lost its connection need not wait until
// the server notices, and a few more in total, so that a user with several workspaces leaves some to others.
import { Outage } from '../../base/fault.ts'

export type ExportSlots = {
  /**
   * Takes a slot and returns a function that releases it. Throws Outage: 429 if the workspace or the user has its share, 503 if all slots
   * are in use.
   */
  take(workspaceId: string, userId: string): () => void
}

const perWorkspace = 2
const perUser = 2
const perProcess = 4
const retryAfterMs = 5_000
const ofWorkspace = `${perWorkspace} exports of this workspace are running; try again when one of them has ended`
const ofUser = `You have ${perUser} exports running; try again when one of them has ended`
const ofProcess = 'Too many exports are running; try again when one of them has ended'

export function openExportSlots(): ExportSlots {
  // By workspace and by user: ids are unique among both.
  const taken = new Map<string, number>()
  let total = 0
  const count = (id: string): number => taken.get(id) ?? 0
  function add(id: string, slots: 1 | -1): void {
    const left = count(id) + slots
    if (left > 0) taken.set(id, left)
    else taken.delete(id)
  }
  const refuse = (message: string, detail: string): never => {
    throw new Outage('limit', message, { status: 429, detail, retryAfterMs })
  }
  return {
    take(workspaceId, userId) {
      if (count(workspaceId) >= perWorkspace)
        refuse('the workspace has reached its limit of concurrent exports', ofWorkspace)
      if (count(userId) >= perUser) refuse('the user has reached the limit of concurrent exports', ofUser)
      if (total >= perProcess)
        throw new Outage('limit', 'too many exports are running', { detail: ofProcess, retryAfterMs })
      const owners = [workspaceId, userId]
      for (const id of owners) add(id, 1)
      total += 1
      let isReturned = false
      return () => {
        if (isReturned) return
        isReturned = true
        total -= 1
        for (const id of owners) add(id, -1)
      }
    },
  }
}
