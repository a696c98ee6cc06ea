// Lists the members of an org, for any of its members.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import { type OrgRoleCode, readOrgRole } from './org-role.ts'

export type Member = {
  readonly userId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: Date
}

export type MemberRow = { user_id: string; email: string; name: string | null; role: Role; created_at: Date }

type Input = { readonly who: Session; readonly orgId: string; readonly limit: number; readonly offset: number }

/** Two queries. The oldest members are first. */
export async function listMembers(db: Database, input: Input): Promise<Outcome<readonly Member[], OrgRoleCode>> {
  const callerRole = await readOrgRole(db, input.who, input.orgId, 'viewer')
  if (!callerRole.ok) return callerRole
  const rows = await db.rows<MemberRow>('accounts/list-members', [input.orgId, input.limit, input.offset])
  return ok(rows.map(readMember))
}

export const readMember = (row: MemberRow): Member => ({
  userId: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  createdAt: row.created_at,
})
