// Floor 3. Who the caller is, and the orgs that they belong to.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import type { Org, User } from './signup.ts'

/** Two queries. Refused where the user is gone. */
export async function readMe(
  db: Database,
  userId: string,
): Promise<Outcome<{ readonly user: User; readonly orgs: readonly Org[] }, 'signed_out'>> {
  const row = await db.row<{ id: string; email: string; name: string | null; created_at: Date }>('accounts/read-user', [
    userId,
  ])
  if (row === null) return refuse('signed_out')
  const orgs = await db.rows<Org>('accounts/list-orgs', [userId])
  return ok({ user: { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }, orgs })
}
