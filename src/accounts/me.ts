// Reads the signed-in user and their orgs.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import type { Org } from './org.ts'
import { readUser, type User, type UserRow } from './user.ts'

/** Two queries. Refuses with `signed_out` if the user no longer exists. */
export async function readMe(
  db: Database,
  userId: string,
): Promise<Outcome<{ readonly user: User; readonly orgs: readonly Org[] }, 'signed_out'>> {
  const row = await db.row<UserRow>('accounts/read-user', [userId])
  if (row === null) return refuse('signed_out')
  const orgs = await db.rows<Org>('accounts/list-orgs', [userId])
  return ok({ user: readUser(row), orgs })
}
