// Invites that end before anybody accepts them, each with a line in the audit log.
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import type { Role } from '../../web/route.ts'

/** What an invite ended by. */
type Cause = 'withdrawn' | 'replaced' | 'inviter_demoted' | 'inviter_removed'

type Line = { readonly from: Origin; readonly userId: string; readonly orgId: string; readonly cause: Cause }
export type EndedInvite = { id: string; role: Role; was_open: boolean }

/** Only an owner ends an invite to be an owner. */
export const mayWithdraw = (standing: Role, invited: Role): boolean => standing === 'owner' || invited !== 'owner'

/** A line for each that was still open; one that had expired ended by that. 200 at most, as many as an org has open. */
export async function auditEndedInvites(tx: Tx, ended: readonly EndedInvite[], line: Line): Promise<void> {
  const { cause, ...rest } = line
  for (const { id, role, was_open: wasOpen } of ended)
    if (wasOpen) await writeAudit(tx, { action: 'member.invite_delete', ...rest, target: id, detail: { role, cause } })
}
