// Caches the role of a user in a workspace for five seconds.
import { LRUCache } from 'lru-cache'
import type { Database } from '../store/database.ts'
import type { Role } from '../web/route.ts'

const maxEntries = 20_000
const maxAgeMs = 5_000

export type RoleCache = {
  /** Null: the workspace is missing, deleted or foreign. A miss is one query. */
  readonly read: (userId: string, workspaceId: string) => Promise<Role | null>
  /** The workspace was deleted: no user has a role in it any more. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** The user's memberships changed. */
  readonly forgetUser: (userId: string) => void
}

type Entry = { readonly userId: string; readonly workspaceId: string; readonly role: Role | null }

export function makeRoleCache(db: Database): RoleCache {
  const held = new LRUCache<string, Entry>({ max: maxEntries, ttl: maxAgeMs })
  // Incremented by every change, so that the result of a query which began before the change is not cached.
  let changes = 0

  function forget(isMeant: (entry: Entry) => boolean): void {
    changes += 1
    for (const [key, entry] of held.entries()) if (isMeant(entry)) held.delete(key)
  }

  return {
    read: async (userId, workspaceId) => {
      const key = `${userId} ${workspaceId}`
      const entry = held.get(key)
      if (entry !== undefined) return entry.role
      const before = changes
      const row = await db.row<{ role: Role }>('accounts/read-role', [workspaceId, userId])
      const role = row?.role ?? null
      if (before === changes) held.set(key, { userId, workspaceId, role })
      return role
    },
    forgetWorkspace: (workspaceId) => forget((entry) => entry.workspaceId === workspaceId),
    forgetUser: (userId) => forget((entry) => entry.userId === userId),
  }
}
