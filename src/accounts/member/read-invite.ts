// Describes an invite to the holder of its token, who may not have an account yet.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Role } from '../../web/route.ts'
import { digestInvite } from './invite.ts'

export type InviteView = {
  readonly org_name: string
  readonly role: Role
  /** The name of the inviter, else the address. */
  readonly invited_by: string
  readonly expires_at: Date
}

/** One query. Unknown, used and expired tokens get the same answer. */
export async function readInvite(
  { db, now }: { readonly db: Database; readonly now: () => Date },
  token: string,
): Promise<Outcome<InviteView, 'not_found'>> {
  const found = await db.row<InviteView>('accounts/read-invite', [digestInvite(token), now()])
  return found === null ? refuse('not_found') : ok(found)
}
