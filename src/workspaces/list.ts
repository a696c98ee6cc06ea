// Lists the workspaces that a user can see.
import type { Database } from '../store/database.ts'

export type Workspace = { readonly id: string; readonly name: string; readonly orgId: string; readonly orgName: string }

type Row = { id: string; name: string; org_id: string; org_name: string }

/** One query. Sorted by org name, then name. An org has at most 200 workspaces. */
export async function listWorkspaces(db: Database, userId: string): Promise<readonly Workspace[]> {
  const rows = await db.rows<Row>('workspaces/list', [userId])
  return rows.map((row) => ({ id: row.id, name: row.name, orgId: row.org_id, orgName: row.org_name }))
}
