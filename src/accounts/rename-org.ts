// Renames an org.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import { type OrgRoleCode, readOrgRole } from './member/org-role.ts'
import type { Org } from './org.ts'

type Input = { readonly who: Session; readonly orgId: string; readonly name: string; readonly from: Origin }

/** Requires admin or above. Names may be personal, so the audit log records the change but not the names. */
export async function renameOrg(db: Database, input: Input): Promise<Outcome<Org, OrgRoleCode>> {
  const { who, orgId, name, from } = input
  return await db.tx(async (tx): Promise<Outcome<Org, OrgRoleCode>> => {
    const org = await tx.row<{ name: string }>('accounts/lock-org', [orgId])
    const callerRole = await readOrgRole(tx, who, orgId, 'admin')
    if (!callerRole.ok) return callerRole
    if (org === null) return refuse('not_found')
    if (org.name !== name) {
      await tx.run('accounts/rename-org', [orgId, name])
      await writeAudit(tx, { action: 'org.change', from, userId: who.userId, orgId, target: orgId })
    }
    return ok({ id: orgId, name, role: callerRole.value })
  })
}
