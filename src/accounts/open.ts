// Floor 3. Accounts as the roles see them: the routes, how a session token is checked, and who may do what in a workspace.
import { deriveKeys, type Secrets } from '../base/seal.ts'
import type { Database } from '../store/database.ts'
import type { Role, Route, Session } from '../web/route.ts'
import { makeOrgRoutes } from './org-routes.ts'
import { defaultHashCost, type HashCost, makePasswordHasher } from './password/hash.ts'
import { makeRoleCache } from './role-cache.ts'
import { makeAuthRoutes } from './routes.ts'
import { makeAccessTokens } from './session/access-token.ts'
import { type Resealed, resealSessions } from './session/reseal.ts'
import { makeKeySetRoutes } from './signing/key-set-routes.ts'
import { openKeyring } from './signing/keyring.ts'
import type { InsertWorkspace } from './signup.ts'
import { sweepAccounts } from './sweep.ts'
import { defaultLimits, type Limits, makeThrottle } from './throttle.ts'

export type AccountsOptions = {
  readonly db: Database
  /** At least 32 bytes each. The first seals signing keys and session keys at rest; what another one sealed is sealed anew in the background. */
  readonly secrets: Secrets
  readonly issuer: string
  readonly audience: string
  /** Makes the first workspace of a new org, in the signup's transaction. */
  readonly insertWorkspace: InsertWorkspace
  /** Called after the commit: tell the other fronts that the user's memberships have changed. This one knows already. */
  readonly publishMembership: (userId: string) => void
  /** Told of what failed in the background. */
  readonly onError: (error: unknown, doing: string) => void
  /** Told after each look for what another secret sealed, how much of it was sealed anew. */
  readonly onResealed?: (count: Resealed & { readonly signingKeys: number }) => void
  readonly now?: () => Date
  readonly hashCost?: HashCost
  readonly limits?: Partial<Limits>
}

export type Accounts = {
  readonly routes: Route[]
  /** Null: not ours, expired or malformed. No query, unless the key id is unknown. Throws Outage where that cannot be looked up. */
  readonly verifySession: (token: string) => Promise<Session | null>
  /** Null where the workspace is missing, deleted or foreign. Held for 5 s; a miss is one query. Throws Outage. */
  readonly readRole: (userId: string, workspaceId: string) => Promise<Role | null>
  /** The workspace was deleted, here or on another front. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** The user's memberships changed on another front. */
  readonly forgetUser: (userId: string) => void
  /** Makes and retires signing keys that are due; it also runs by itself every 10 minutes. */
  readonly rotateKeys: () => Promise<void>
  readonly stop: () => void
}

const sweepEveryMs = 300_000

/** Ready to sign and verify when it resolves. Throws Outage without the database. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { db, secrets, issuer, audience, onError, insertWorkspace, now = () => new Date() } = options
  const keyring = await openKeyring({ db, sealKeys: deriveKeys(secrets, 'signing keys'), now, onError })
  const sessionKeys = deriveKeys(secrets, 'session keys')
  const accessTokens = makeAccessTokens({ keyring, issuer, audience, now })
  const roles = makeRoleCache(db)
  const ending = new AbortController()
  let toldOfKeys = 0
  async function reseal(): Promise<void> {
    await keyring.rotate()
    const resealed = await resealSessions(db, sessionKeys, ending.signal)
    if (ending.signal.aborted) return
    const signingKeys = keyring.resealed() - toldOfKeys
    toldOfKeys = keyring.resealed()
    options.onResealed?.({ signingKeys, ...resealed })
  }
  function resealIfAsked(): void {
    if (secrets.length > 1) reseal().catch((error: unknown) => onError(error, 'sealing anew'))
  }
  const sweeper = setInterval(() => {
    sweepAccounts(db, now()).catch((error: unknown) => onError(error, 'sweeping accounts'))
    resealIfAsked()
  }, sweepEveryMs)
  sweeper.unref()
  resealIfAsked()

  return {
    routes: [
      ...makeAuthRoutes({
        db,
        now,
        accessTokens,
        insertWorkspace,
        sealKeys: sessionKeys,
        hasher: makePasswordHasher(options.hashCost ?? defaultHashCost),
        throttle: makeThrottle({ db, now, limits: { ...defaultLimits, ...options.limits } }),
      }),
      ...makeKeySetRoutes(keyring),
      ...makeOrgRoutes({
        db,
        now,
        onMembershipChange: (userId) => {
          roles.forgetUser(userId)
          options.publishMembership(userId)
        },
      }),
    ],
    verifySession: accessTokens.verify,
    readRole: roles.read,
    forgetWorkspace: roles.forgetWorkspace,
    forgetUser: roles.forgetUser,
    rotateKeys: keyring.rotate,
    stop: () => {
      clearInterval(sweeper)
      ending.abort()
      keyring.stop()
    },
  }
}
