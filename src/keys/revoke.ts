// Revokes a key, permanently.
import { nilUuid } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from '../workspaces/codes.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'

type Deps = { readonly db: Database; readonly onRevoked: (digestHex: string) => void }
type Input = { readonly who: Session; readonly keyId: string; readonly from: Origin }

/** Requires admin or above. Idempotent; each call notifies all fronts again, in case an earlier notice was lost. */
export async function revokeKey(deps: Deps, input: Input): Promise<Outcome<undefined, WorkspaceRoleCode>> {
  const outcome = await deps.db.tx(async (tx) => await revoke(tx, input))
  if (!outcome.ok) return outcome
  deps.onRevoked(outcome.value)
  return ok(undefined)
}

async function revoke(tx: Tx, { who, keyId, from }: Input): Promise<Outcome<string, WorkspaceRoleCode>> {
  const found = await tx.row<{ workspace_id: string }>('keys/find-workspace', [keyId])
  // A missing key is refused by the same query as a foreign one.
  const workspaceId = found?.workspace_id ?? nilUuid
  // Locked before the role is read: the caller may lose it while this call waits.
  const workspace = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
  const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'admin')
  if (!callerRole.ok) return callerRole
  const row = await tx.row<{ digest_hex: string; changed: boolean }>('keys/revoke', [workspaceId, keyId])
  if (workspace === null || row === null) return refuse('not_found')
  const line = { from, userId: who.userId, orgId: workspace.org_id, workspaceId, target: keyId }
  if (row.changed) await writeAudit(tx, { action: 'key.revoke', ...line })
  return ok(row.digest_hex)
}
