// Floor 3. Signing in: counted, then checked, then counted back. Unknown addresses cost and read the same as wrong passwords.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { PasswordHasher } from './password/hash.ts'
import { type SessionDeps, startSession, type TokenPair } from './session/start.ts'
import type { User } from './signup.ts'
import type { Throttle } from './throttle.ts'

type Deps = SessionDeps & { readonly db: Database; readonly throttle: Throttle; readonly hasher: PasswordHasher }
type Input = { readonly email: string; readonly password: string; readonly from: Origin }
type Row = { id: string; email: string; name: string | null; created_at: Date; password_hash: string }

/** One hash. Throws Outage: 429 over a limit, 503 where too many sign in at once. */
export async function login(
  deps: Deps,
  input: Input,
): Promise<Outcome<{ readonly user: User; readonly tokens: TokenPair }, 'bad_credentials'>> {
  const { db, hasher } = deps
  const refund = await deps.throttle.login(input.email, input.from.ip)
  const row = await db.row<Row>('accounts/find-user-by-email', [input.email])
  const { matches, stale } = await hasher.verify(input.password, row?.password_hash ?? null)
  if (row === null || !matches) {
    await writeAudit(db, {
      action: 'auth.login_failed',
      from: input.from,
      userId: null,
      ...(row === null ? {} : { target: row.id }),
    })
    return refuse('bad_credentials')
  }
  await refund()
  const fresh = stale ? await hasher.hash(input.password) : null
  const tokens = await db.tx(async (tx) => {
    if (fresh !== null) await tx.run('accounts/replace-password-hash', [row.id, row.password_hash, fresh])
    await writeAudit(tx, { action: 'auth.login', from: input.from, userId: row.id })
    return await startSession(tx, deps, row.id)
  })
  return ok({ user: { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }, tokens })
}
