// A user changes their name and time zone. Omitted values stay; null removes a value.
import { type Outcome, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import { readMe } from './me.ts'
import type { Org } from './org.ts'
import type { User } from './user.ts'

type Input = {
  readonly who: Session
  readonly name: string | null | undefined
  readonly timeZone: string | null | undefined
  readonly from: Origin
}

type Profile = { readonly name: string | null; readonly time_zone: string | null }

/**
 * One transaction, which rechecks the session. The audit line records which values changed, but not the values; if none changes, there is no
 * line.
 */
export async function changeProfile(
  db: Database,
  { who, name, timeZone, from }: Input,
): Promise<Outcome<{ readonly user: User; readonly orgs: readonly Org[] }, 'signed_out'>> {
  const signedIn = await db.tx(async (tx) => {
    if ((await tx.row('accounts/read-signed-in-user', [who.sessionId, who.userId])) === null) return false
    const before = await tx.row<Profile>('accounts/lock-profile', [who.userId])
    if (before === null) return false
    const isName = name !== undefined && name !== before.name
    const isTimeZone = timeZone !== undefined && timeZone !== before.time_zone
    if (!isName && !isTimeZone) return true
    await tx.row('accounts/change-profile', [who.userId, isName, name ?? null, isTimeZone, timeZone ?? null])
    const detail = { name: isName, time_zone: isTimeZone }
    await writeAudit(tx, { action: 'auth.profile_change', from, userId: who.userId, target: who.userId, detail })
    return true
  })
  return signedIn ? await readMe(db, who.userId) : refuse('signed_out')
}
