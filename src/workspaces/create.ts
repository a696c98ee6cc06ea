// Floor 3. New workspaces.
import { randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import { isAtLeast, type Role, type Session } from '../web/route.ts'
import type { CreateCode } from './codes.ts'
import type { Workspace } from './list.ts'

const maxWorkspaces = 200

type Deps = { readonly db: Database; readonly defaultPlan: string }
type Input = { readonly who: Session; readonly name: string; readonly orgId: string | null; readonly from: Origin }
type OrgRow = { id: string; name: string; role: Role }

/** Admin or above. Without an org id the caller must belong to exactly one org. 200 workspaces an org. */
export async function createWorkspace(deps: Deps, input: Input): Promise<Outcome<Workspace, CreateCode>> {
  const { who, name, from } = input
  return await deps.db.tx(async (tx) => {
    const chosen = await chooseOrg(tx, who, input.orgId)
    if (!chosen.ok) return chosen
    const org = chosen.value
    await tx.row('workspaces/lock-org', [org.id])
    const count = await tx.row<{ live: number }>('workspaces/count-live', [org.id])
    if ((count?.live ?? 0) >= maxWorkspaces) return refuse('too_many_workspaces')
    const id = await insertWorkspace(tx, { orgId: org.id, name, plan: deps.defaultPlan })
    const line = { from, userId: who.userId, orgId: org.id, workspaceId: id, target: id }
    await writeAudit(tx, { action: 'workspace.create', ...line })
    return ok({ id, name, orgId: org.id, orgName: org.name })
  })
}

async function chooseOrg(tx: Tx, who: Session, orgId: string | null): Promise<Outcome<OrgRow, CreateCode>> {
  const session = await tx.row<{ signed_in: boolean }>('workspaces/is-signed-in', [who.sessionId, who.userId])
  if (session?.signed_in !== true) return refuse('signed_out')
  const orgs = await tx.rows<OrgRow>('workspaces/list-standings', [who.userId])
  if (orgId === null && orgs.length !== 1) return refuse('org_needed')
  const org = orgId === null ? orgs[0] : orgs.find(({ id }) => id === orgId)
  if (org === undefined) return refuse('not_found')
  return isAtLeast(org.role, 'admin') ? ok(org) : refuse('forbidden')
}

/** The row alone, in the caller's transaction; gives its id. Its redaction key is random and its own. */
export async function insertWorkspace(
  tx: Tx,
  workspace: { readonly orgId: string; readonly name: string; readonly plan: string },
): Promise<string> {
  const id = makeUuidV7()
  await tx.run('workspaces/insert', [id, workspace.orgId, workspace.name, workspace.plan, randomBytes(32)])
  return id
}
