// Records invites that end before they are accepted, each with a line in the audit log.
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import type { Role } from '../../web/route.ts'

/** Why an invite ended. */
type Cause = 'withdrawn' | 'replaced' | 'inviter_demoted' | 'inviter_removed'

type Line = { readonly from: Origin; readonly userId: string; readonly orgId: string; readonly cause: Cause }
export type EndedInvite = { id: string; role: Role; was_open: boolean }

/** Only an owner can end an invite to the role owner. */
export const mayWithdraw = (callerRole: Role, invited: Role): boolean => callerRole === 'owner' || invited !== 'owner'

/** Writes a line for each invite that was still open; others had already expired. At most 200, the limit of open invites of an org. */
export async function auditEndedInvites(tx: Tx, ended: readonly EndedInvite[], line: Line): Promise<void> {
  const { cause, ...rest } = line
  for (const { id, role, was_open: wasOpen } of ended)
    if (wasOpen) await writeAudit(tx, { action: 'member.invite_delete', ...rest, target: id, detail: { role, cause } })
}
