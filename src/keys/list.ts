// Lists the keys that a user can see, without their texts.
import { type Outcome, ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from '../workspaces/codes.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'

export type Key = {
  readonly id: string
  readonly workspaceId: string
  readonly prefix: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export type KeyRow = {
  id: string
  workspace_id: string
  key_prefix: string
  name: string
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

type Input = {
  readonly who: Session
  readonly workspaceId: string | null
  readonly limit: number
  readonly offset: number
}

/** Newest first, including revoked keys. One query, or two with a workspace. */
export async function listKeys(db: Database, input: Input): Promise<Outcome<readonly Key[], WorkspaceRoleCode>> {
  const { who, workspaceId, limit, offset } = input
  if (workspaceId !== null) {
    const callerRole = await readWorkspaceRole(db, who, workspaceId, 'viewer')
    if (!callerRole.ok) return callerRole
  }
  const rows = await db.rows<KeyRow>('keys/list', [who.userId, workspaceId, limit, offset])
  return ok(rows.map(readKeyRow))
}

export const readKeyRow = (row: KeyRow): Key => ({
  id: row.id,
  workspaceId: row.workspace_id,
  prefix: row.key_prefix,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
})
