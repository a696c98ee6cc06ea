// Workspaces that have recently sent spans again. All of their spans are looked up before they are stored.
import { LRUCache } from 'lru-cache'

export type LikelyDuplicates = {
  has(workspaceId: string): boolean
  add(workspaceId: string): void
}

const maxWorkspaces = 1_000
const maxAgeMs = 60_000

/** Forgetting a workspace costs at most one transaction that must be retried. */
export function openLikelyDuplicates(): LikelyDuplicates {
  const known = new LRUCache<string, true>({ max: maxWorkspaces, ttl: maxAgeMs })
  return {
    has: (workspaceId) => known.has(workspaceId),
    add: (workspaceId) => void known.set(workspaceId, true),
  }
}
