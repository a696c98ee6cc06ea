// Signs a user in. The attempt is counted before the check, and refunded unless the password is wrong. An unknown address costs and reads
// the same as a wrong password.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { RequestFacts } from '../web/route.ts'
import type { EmailAddress } from './address/email-address.ts'
import type { DeviceTokens } from './device-token.ts'
import type { PasswordHasher } from './password/hash.ts'
import type { HashCosts } from './password/hash-costs.ts'
import { type SessionDeps, startSession, type TokenPair } from './session/start.ts'
import type { Throttle } from './throttle.ts'
import { readUser, type User, type UserRow } from './user.ts'

type Deps = SessionDeps & {
  readonly db: Database
  readonly throttle: Throttle
  readonly hasher: PasswordHasher
  readonly hashCosts: Pick<HashCosts, 'ofUnknown'>
  readonly deviceTokens: DeviceTokens
}
type Input = {
  readonly email: EmailAddress
  readonly password: string
  readonly deviceToken: string | null
  readonly from: RequestFacts
}
type Row = UserRow & { readonly password_hash: string; readonly password_changed_at: Date | null }
type SignedIn = { readonly user: User; readonly tokens: TokenPair; readonly deviceToken: string }

/** One hash, or two if the costs of hashes have changed. Throws Outage: 429 over a limit, 503 if too many users sign in at once. */
export async function login(deps: Deps, input: Input): Promise<Outcome<SignedIn, 'bad_credentials'>> {
  const { db, hasher } = deps
  const { email, from } = input
  // Read before the limits are applied, for every address: a device token is valid only for this user with this password.
  const find = async () => await db.row<Row>('accounts/find-user-by-email', [email.forms])
  const row = await deps.throttle.query(from.ip, find)
  const owner = row === null ? null : { userId: row.id, passwordChangedAt: row.password_changed_at }
  const device = owner === null ? null : deps.deviceTokens.read(input.deviceToken, owner)
  const attempt = { account: email.canonical, ip: from.ip, device }
  const { isWrong, fresh } = await deps.throttle.login(attempt, async () => {
    const { matches, stale } = await hasher.verify(
      input.password,
      row?.password_hash ?? deps.hashCosts.ofUnknown(email.canonical),
    )
    return { isWrong: !matches, fresh: matches && stale ? await hasher.hash(input.password) : null }
  })
  if (row === null || owner === null || isWrong) {
    await writeAudit(db, {
      action: 'auth.login_failed',
      from,
      userId: null,
      ...(row === null ? {} : { target: row.id }),
    })
    return refuse('bad_credentials')
  }
  const tokens = await db.tx(async (tx) => {
    const locked = await tx.row<{ password_changed_at: Date | null }>('accounts/lock-user', [row.id])
    // The password was changed after it was checked. All sessions have just been ended, and this one must not start after that.
    if (locked === null || locked.password_changed_at?.getTime() !== row.password_changed_at?.getTime()) return null
    if (fresh !== null) await tx.run('accounts/replace-password-hash', [row.id, row.password_hash, fresh])
    await writeAudit(tx, { action: 'auth.login', from, userId: row.id })
    return await startSession(tx, deps, row.id, from)
  })
  if (tokens === null) return refuse('bad_credentials')
  return ok({ user: readUser(row), tokens, deviceToken: deps.deviceTokens.make(device, owner) })
}
