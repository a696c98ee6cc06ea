// Creates workspaces.
import { randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import { isAtLeast, type Role, type Session } from '../web/route.ts'
import type { CreateCode } from './codes.ts'
import type { Workspace } from './list.ts'
import { readPlan } from './plans.ts'

const maxWorkspaces = 200

type Deps = {
  readonly db: Database
  readonly defaultPlan: string
  /** Number of workspaces on a free plan that one user may have created. */
  readonly freeWorkspaces: number
}
type Input = { readonly who: Session; readonly name: string; readonly orgId: string | null; readonly from: Origin }
type OrgRow = { id: string; name: string; role: Role }

/**
 * Requires admin or above. Without an org id the caller must belong to exactly one org. An org has at most 200 workspaces. On a free plan,
 * a user may have created only a few, including the one from sign-up. Only those in orgs that the user still belongs to count, since a
 * removed member cannot delete the others.
 */
export async function createWorkspace(deps: Deps, input: Input): Promise<Outcome<Workspace, CreateCode>> {
  const { who, name, from } = input
  return await deps.db.tx(async (tx) => {
    const chosen = await chooseOrg(tx, who, input.orgId)
    if (!chosen.ok) return chosen
    await tx.row('workspaces/lock-org', [chosen.value.id])
    // Checked again: while this call waited, the caller may have lost the role, or the org its last member.
    const still = await chooseOrg(tx, who, chosen.value.id)
    if (!still.ok) return still
    const org = still.value
    const count = await tx.row<{ live: number }>('workspaces/count-live', [org.id])
    if ((count?.live ?? 0) >= maxWorkspaces) return refuse('too_many_workspaces')
    if (readPlan(deps.defaultPlan).isFree && !(await mayMakeFree(tx, deps, who.userId))) return refuse('too_many_free')
    const id = await insertWorkspace(tx, { orgId: org.id, name, plan: deps.defaultPlan, userId: who.userId })
    const line = { from, userId: who.userId, orgId: org.id, workspaceId: id, target: id }
    await writeAudit(tx, { action: 'workspace.create', ...line })
    return ok({ id, name, orgId: org.id, orgName: org.name })
  })
}

/** Locks the user until the commit, so that two concurrent calls do not both use the last place. */
async function mayMakeFree(tx: Tx, { defaultPlan, freeWorkspaces }: Deps, userId: string): Promise<boolean> {
  await tx.row('workspaces/lock-maker', [userId])
  const made = await tx.row<{ live: number }>('workspaces/count-made', [userId, defaultPlan])
  return (made?.live ?? 0) < freeWorkspaces
}

async function chooseOrg(tx: Tx, who: Session, orgId: string | null): Promise<Outcome<OrgRow, CreateCode>> {
  const session = await tx.row<{ signed_in: boolean }>('workspaces/is-signed-in', [who.sessionId, who.userId])
  if (session?.signed_in !== true) return refuse('signed_out')
  const orgs = await tx.rows<OrgRow>('workspaces/list-standings', [who.userId])
  if (orgId === null && orgs.length !== 1) return refuse(orgs.length === 0 ? 'no_org' : 'org_needed')
  const org = orgId === null ? orgs[0] : orgs.find(({ id }) => id === orgId)
  if (org === undefined) return refuse('not_found')
  return isAtLeast(org.role, 'admin') ? ok(org) : refuse('forbidden')
}

/** Inserts only the row, in the caller's transaction, and returns its id. Each workspace has its own random redaction key. */
export async function insertWorkspace(
  tx: Tx,
  workspace: { readonly orgId: string; readonly name: string; readonly plan: string; readonly userId: string },
): Promise<string> {
  const id = makeUuidV7()
  const { orgId, name, plan, userId } = workspace
  await tx.run('workspaces/insert', [id, orgId, name, plan, randomBytes(32), userId])
  return id
}
