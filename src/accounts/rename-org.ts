// Renames an org.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import { readOrgStanding, type StandingCode } from './member/standing.ts'
import type { Org } from './org.ts'

type Input = { readonly who: Session; readonly orgId: string; readonly name: string; readonly from: Origin }

/** Requires admin or above. Names may be personal, so the audit log records the change but not the names. */
export async function renameOrg(db: Database, input: Input): Promise<Outcome<Org, StandingCode>> {
  const { who, orgId, name, from } = input
  return await db.tx(async (tx): Promise<Outcome<Org, StandingCode>> => {
    const org = await tx.row<{ name: string }>('accounts/lock-org', [orgId])
    const standing = await readOrgStanding(tx, who, orgId, 'admin')
    if (!standing.ok) return standing
    if (org === null) return refuse('not_found')
    if (org.name !== name) {
      await tx.run('accounts/rename-org', [orgId, name])
      await writeAudit(tx, { action: 'org.change', from, userId: who.userId, orgId, target: orgId })
    }
    return ok({ id: orgId, name, role: standing.value })
  })
}
