// Creates a key. Its text is shown only this once.
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from '../workspaces/codes.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'
import { makeApiKey } from './key-text.ts'
import { type Key, type KeyRow, readKeyRow } from './list.ts'

const maxLiveKeys = 50

type Input = { readonly who: Session; readonly workspaceId: string; readonly name: string; readonly from: Origin }

/** Requires admin or above. At most 50 live keys per workspace. One transaction. */
export async function mintKey(
  db: Database,
  input: Input,
): Promise<Outcome<{ readonly key: Key; readonly text: string }, WorkspaceRoleCode | 'too_many_keys'>> {
  const { who, workspaceId, name, from } = input
  return await db.tx(async (tx) => {
    // Guards against a concurrent deletion, which would leave this key alive, and against two concurrent calls that both add the last key.
    const workspace = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'admin')
    if (!callerRole.ok) return callerRole
    if (workspace === null) return refuse('not_found')
    const count = await tx.row<{ live: number }>('keys/count-live', [workspaceId])
    if ((count?.live ?? 0) >= maxLiveKeys) return refuse('too_many_keys')

    const made = makeApiKey()
    const values = [workspaceId, makeUuidV7(), name, made.prefix, made.digest, who.userId]
    const row = await tx.row<KeyRow>('keys/insert', values)
    if (row === null) throw new Error('inserting the key returned no row')
    const line = { from, userId: who.userId, orgId: workspace.org_id, workspaceId, target: row.id }
    await writeAudit(tx, { action: 'key.mint', ...line })
    return ok({ key: readKeyRow(row), text: made.text })
  })
}
