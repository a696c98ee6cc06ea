// Lists and withdraws the open invites of an org.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Origin } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import { auditEndedInvites, mayWithdraw } from './end-invites.ts'
import { type OrgRoleCode, readOrgRole } from './org-role.ts'

export type OpenInvite = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

type Row = { id: string; email: string; role: Role; invited_by: string; created_at: Date; expires_at: Date }
type ListInput = { readonly who: Session; readonly orgId: string; readonly limit: number; readonly offset: number }
type DeleteInput = { readonly who: Session; readonly orgId: string; readonly inviteId: string; readonly from: Origin }

/** Requires admin or above. Newest first, without tokens, of which only digests are stored. Two queries. */
export async function listInvites(
  db: Database,
  input: ListInput,
): Promise<Outcome<readonly OpenInvite[], OrgRoleCode>> {
  const callerRole = await readOrgRole(db, input.who, input.orgId, 'admin')
  if (!callerRole.ok) return callerRole
  const rows = await db.rows<Row>('accounts/list-invites', [input.orgId, input.limit, input.offset])
  return ok(
    rows.map(({ id, email, role, invited_by: invitedBy, created_at: createdAt, expires_at: expiresAt }) => ({
      id,
      email,
      role,
      invitedBy,
      createdAt,
      expiresAt,
    })),
  )
}

/** Requires admin or above; only an owner can withdraw an invite to the role owner. An accepted invite is not found. */
export async function deleteInvite(db: Database, input: DeleteInput): Promise<Outcome<undefined, OrgRoleCode>> {
  return await db.tx(async (tx) => await remove(tx, input))
}

async function remove(tx: Tx, { who, orgId, inviteId, from }: DeleteInput): Promise<Outcome<undefined, OrgRoleCode>> {
  // The org is locked before the invite, as in acceptance.
  await tx.row('accounts/lock-org', [orgId])
  const callerRole = await readOrgRole(tx, who, orgId, 'admin')
  if (!callerRole.ok) return callerRole
  const invite = await tx.row<{ role: Role }>('accounts/lock-invite', [orgId, inviteId])
  if (invite === null) return refuse('not_found')
  if (!mayWithdraw(callerRole.value, invite.role)) return refuse('forbidden')
  await tx.run('accounts/delete-invite', [inviteId])
  const ended = [{ id: inviteId, role: invite.role, was_open: true }]
  await auditEndedInvites(tx, ended, { from, userId: who.userId, orgId, cause: 'withdrawn' })
  return ok(undefined)
}
