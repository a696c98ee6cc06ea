// Signs a user up, with a new org and a first workspace, or as a member of the inviting org.
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { RequestFacts } from '../web/route.ts'
import type { EmailAddress } from './address/email-address.ts'
import type { SignupCode } from './codes.ts'
import type { DeviceTokens } from './device-token.ts'
import { findInvite, spendInvite } from './member/accept.ts'
import type { Org } from './org.ts'
import type { PasswordHasher } from './password/hash.ts'
import { type SessionDeps, startSession, type TokenPair } from './session/start.ts'
import type { Throttle } from './throttle.ts'
import { readUser, type User, type UserRow } from './user.ts'

/** Creates a workspace in the caller's transaction and returns its id. */
export type InsertWorkspace = (
  tx: Tx,
  workspace: { readonly orgId: string; readonly name: string; readonly userId: string },
) => Promise<string>

type Deps = SessionDeps & {
  readonly db: Database
  readonly throttle: Throttle
  readonly hasher: PasswordHasher
  readonly deviceTokens: DeviceTokens
  /** Whether people without an invite may sign up. */
  readonly signupOpen: boolean
  readonly insertWorkspace: InsertWorkspace
}

type Input = {
  readonly email: EmailAddress
  readonly password: string
  readonly name?: string | undefined
  readonly orgName?: string | undefined
  readonly inviteToken?: string | undefined
  readonly from: RequestFacts
}

type SignedUp = {
  readonly user: User
  readonly org: Org
  readonly tokens: TokenPair
  readonly deviceToken: string
}

const firstWorkspaceName = 'Default'

/** One hash and one transaction. Throws Outage: 429 over the limit, 503 if too many users sign in at once. */
export async function signup(deps: Deps, input: Input): Promise<Outcome<SignedUp, SignupCode>> {
  await deps.throttle.signup(input.from.ip)
  if (!deps.signupOpen && input.inviteToken === undefined) return refuse('signup_closed')
  const passwordHash = await deps.hasher.hash(input.password)
  return await deps.db.tx(async (tx) => {
    const invite =
      input.inviteToken === undefined ? null : await findInvite(tx, input.inviteToken, input.email.forms, deps.now())
    // Before anything is written: a refusal commits what was written before it.
    if (invite === null && input.inviteToken !== undefined) return refuse('invite_not_found')
    const user = await insertUser(tx, input, passwordHash)
    if (user === null) return refuse('email_taken')

    const org = invite === null ? await insertOrg(tx, deps, user, input) : invite.org
    await tx.row('accounts/insert-membership', [org.id, user.id, org.role])
    if (invite !== null) await spendInvite(tx, invite, user.id, input.from, deps.now())
    await writeAudit(tx, { action: 'auth.signup', from: input.from, userId: user.id, orgId: org.id, target: user.id })
    const tokens = await startSession(tx, deps, user.id, input.from)
    const deviceToken = deps.deviceTokens.make(null, { userId: user.id, passwordChangedAt: null })
    return ok({ user, org, tokens, deviceToken })
  })
}

/** Returns null if the address is taken, in any of its forms. */
async function insertUser(tx: Tx, { email, name }: Input, passwordHash: string): Promise<User | null> {
  if ((await tx.row('accounts/find-user-by-email', [email.forms])) !== null) return null
  const values = [makeUuidV7(), email.canonical, name ?? null, passwordHash]
  const row = await tx.row<UserRow>('accounts/insert-user', values)
  return row === null ? null : readUser(row)
}

async function insertOrg(tx: Tx, deps: Deps, user: User, input: Input): Promise<Org> {
  const name = input.orgName ?? (user.name === null ? 'My organization' : `${user.name}'s organization`)
  const org: Org = { id: makeUuidV7(), name, role: 'owner' }
  await tx.run('accounts/insert-org', [org.id, org.name])
  const workspaceId = await deps.insertWorkspace(tx, { orgId: org.id, name: firstWorkspaceName, userId: user.id })
  const line = { from: input.from, userId: user.id, orgId: org.id, workspaceId, target: workspaceId }
  await writeAudit(tx, { action: 'workspace.create', ...line })
  return org
}
