// Floor 3. Rows of accounts whose time is over: throttle windows, sessions, invites, reset tokens.
import type { Database } from '../store/database.ts'

const dayMs = 86_400_000

/** Four deletes of 10,000 rows at most each. */
export async function sweepAccounts(db: Database, now: Date): Promise<void> {
  await db.run('accounts/sweep-throttles', [now])
  await db.run('accounts/sweep-sessions', [new Date(now.getTime() - dayMs)])
  await db.run('accounts/sweep-invites', [new Date(now.getTime() - dayMs)])
  await db.run('accounts/sweep-resets', [now])
}
