// Workspaces that have sent spans again a short while ago: all their spans are looked for before they are stored.
import { LRUCache } from 'lru-cache'

export type Suspects = {
  has(workspaceId: string): boolean
  add(workspaceId: string): void
}

const maxWorkspaces = 1_000
const maxAgeMs = 60_000

/** Whom it forgets costs at most one transaction that has to be tried again. */
export function openSuspects(): Suspects {
  const known = new LRUCache<string, true>({ max: maxWorkspaces, ttl: maxAgeMs })
  return {
    has: (workspaceId) => known.has(workspaceId),
    add: (workspaceId) => void known.set(workspaceId, true),
  }
}
