// Caches the role of a user in a workspace for five seconds. A user may ask for any workspaces: those without a role evict no other entries.
import type { Database } from '../store/database.ts'
import type { Role } from '../web/route.ts'
import { makeReadCache } from './read-cache.ts'

export type RoleCache = {
  /** Null: the workspace is missing, deleted or foreign. A miss is one query, shared by concurrent callers. Throws Outage. */
  readonly read: (userId: string, workspaceId: string) => Promise<Role | null>
  /** The workspace was deleted: no user has a role in it any more. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** The user's memberships changed. */
  readonly forgetUser: (userId: string) => void
}

type Subject = { readonly userId: string; readonly workspaceId: string }

/** `nowMs`: as of `makeReadCache`. */
export function makeRoleCache(db: Pick<Database, 'row'>, nowMs?: () => number): RoleCache {
  const cache = makeReadCache({
    idsOf: ({ userId, workspaceId }: Subject) => [userId, workspaceId],
    read: async ({ userId, workspaceId }) =>
      (await db.row<{ role: Role }>('accounts/read-role', [workspaceId, userId]))?.role ?? null,
    isFound: (role) => role !== null,
    nowMs,
  })
  return {
    read: async (userId, workspaceId) => await cache.get({ userId, workspaceId }),
    forgetWorkspace: cache.forget,
    forgetUser: cache.forget,
  }
}
