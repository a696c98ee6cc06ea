// The interface of accounts to the roles: the routes, the check of session tokens, and the role of a user in a workspace.
import { deriveKey, deriveKeys, type Secrets } from '../base/seal.ts'
import type { Database } from '../store/database.ts'
import type { Role, Route, Session } from '../web/route.ts'
import type { DeleteWorkspaces } from './delete-account.ts'
import { makeDeleteAccountRoute } from './delete-account-route.ts'
import { makeDeviceTokens } from './device-token.ts'
import { type MailQueue, makeMailQueue } from './mail/queue.ts'
import type { SendMail } from './mail/smtp.ts'
import { makeOrgChangeRoutes } from './org-change-routes.ts'
import { makeOrgRoutes } from './org-routes.ts'
import { makeOwnAccountRoutes } from './own-account-routes.ts'
import { type HashCost, makePasswordHasher } from './password/hash.ts'
import { makeHashCosts } from './password/hash-costs.ts'
import { makeResetRoutes } from './reset/routes.ts'
import { makeRoleCache } from './role-cache.ts'
import { makeAuthRoutes } from './routes.ts'
import { makeAccessTokens } from './session/access-token.ts'
import { makeLiveSessions } from './session/live-sessions.ts'
import { type Resealed, resealSessions } from './session/reseal.ts'
import { makeKeySetRoutes } from './signing/key-set-routes.ts'
import { openKeyring } from './signing/keyring.ts'
import type { InsertWorkspace } from './signup.ts'
import { sweepAccounts } from './sweep.ts'
import { defaultLimits, type Limits, makeThrottle } from './throttle.ts'

export type AccountsOptions = {
  readonly db: Database
  /** At least 32 bytes each. The first seals signing and session keys at rest; data sealed by another is sealed anew in the background. */
  readonly secrets: Secrets
  readonly issuer: string
  readonly audience: string
  /** Creates the first workspace of a new org, in the transaction of the sign-up. */
  readonly insertWorkspace: InsertWorkspace
  /** Deletes the workspaces of an org that has no members left. */
  readonly deleteWorkspaces: DeleteWorkspaces
  /**
   * Called after that commit, for each workspace: must stop its keys, forget its members, wake the purge and notify the other processes.
   */
  readonly publishDeleted: (workspaceId: string) => void
  /** The URL at which clients and browsers reach the service; the base of links. */
  readonly publicUrl: string
  /** Whether people without an invite may sign up. Default: true. */
  readonly signupOpen?: boolean
  /** Sends mail; null: the service sends no mail. */
  readonly smtp?: SendMail | null
  /** Called after the commit: must notify the other fronts of changed memberships or sessions of the user. This front already knows. */
  readonly publishMembership: (userId: string) => void
  /** Called with errors of background work. */
  readonly onError: (error: unknown, doing: string) => void
  /** Called after each scan for data that another secret sealed, with the numbers of sealed items. */
  readonly onResealed?: (count: Resealed & { readonly signingKeys: number }) => void
  readonly now?: () => Date
  /** The clock of the caches of roles and live sessions, as of `makeReadCache`. */
  readonly cacheClockMs?: () => number
  readonly hashCost: HashCost
  readonly limits?: Partial<Limits>
}

export type Accounts = {
  readonly routes: Route[]
  /** Null: not our token, expired, malformed, or its session has ended. Cached for 5 s; a miss is one query. Throws Outage. */
  readonly verifySession: (token: string) => Promise<Session | null>
  /** Null: the workspace is missing, deleted or foreign. Cached for 5 s; a miss is one query. Throws Outage. */
  readonly readRole: (userId: string, workspaceId: string) => Promise<Role | null>
  /** The workspace was deleted, here or on another front. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** The user's memberships or sessions changed on another front. */
  readonly forgetUser: (userId: string) => void
  /** Creates and retires the signing keys that are due. Also runs every 10 minutes. */
  readonly rotateKeys: () => Promise<void>
  readonly stop: () => Promise<void>
}

const sweepEveryMs = 300_000

/** Resolves when it can sign and verify tokens. Throws Outage without the database. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { db, secrets, issuer, audience, onError, insertWorkspace, now = () => new Date() } = options
  const hashCosts = makeHashCosts({ db, key: deriveKey(secrets[0], 'hash costs'), today: options.hashCost })
  // Without it, the cost of today is taken until the next sweep.
  await hashCosts.count().catch((error: unknown) => onError(error, 'sweeping accounts'))
  const keyring = await openKeyring({ db, sealKeys: deriveKeys(secrets, 'signing keys'), now, onError })
  const sessionKeys = deriveKeys(secrets, 'session keys')
  const accessTokens = makeAccessTokens({ keyring, issuer, audience, now })
  const roles = makeRoleCache(db, options.cacheClockMs)
  const sessions = makeLiveSessions(db, options.cacheClockMs)
  const deviceTokens = makeDeviceTokens({ keys: deriveKeys(secrets, 'device tokens'), now })
  const mails = openMails(options)
  function forgetUser(userId: string): void {
    roles.forgetUser(userId)
    sessions.forgetUser(userId)
  }
  function onUserChange(userId: string): void {
    forgetUser(userId)
    options.publishMembership(userId)
  }
  const ending = new AbortController()
  let reportedSigningKeys = 0
  async function reseal(): Promise<void> {
    await keyring.rotate()
    const resealed = await resealSessions(db, sessionKeys, ending.signal)
    if (ending.signal.aborted) return
    const signingKeys = keyring.resealed() - reportedSigningKeys
    reportedSigningKeys = keyring.resealed()
    options.onResealed?.({ signingKeys, ...resealed })
  }
  function resealIfAsked(): void {
    if (secrets.length > 1) reseal().catch((error: unknown) => onError(error, 're-encrypting keys and sessions'))
  }
  const sweeper = setInterval(() => {
    Promise.all([sweepAccounts(db, now(), ending.signal), hashCosts.count()]).catch((error: unknown) =>
      onError(error, 'sweeping accounts'),
    )
    resealIfAsked()
  }, sweepEveryMs)
  sweeper.unref()
  resealIfAsked()

  const auth = {
    db,
    now,
    accessTokens,
    insertWorkspace,
    deviceTokens,
    mails,
    publicUrl: options.publicUrl,
    signupOpen: options.signupOpen ?? true,
    sealKeys: sessionKeys,
    hasher: makePasswordHasher(options.hashCost),
    hashCosts,
    throttle: makeThrottle({ db, now, limits: { ...defaultLimits, ...options.limits } }),
    onSessionsEnded: onUserChange,
  }
  const orgs = { db, now, throttle: auth.throttle, onMembershipChange: onUserChange }
  return {
    routes: [
      ...makeAuthRoutes(auth),
      ...makeOwnAccountRoutes(auth),
      ...makeResetRoutes(auth),
      makeDeleteAccountRoute({
        ...auth,
        onMembershipChange: onUserChange,
        deleteWorkspaces: options.deleteWorkspaces,
        onWorkspaceDeleted: options.publishDeleted,
      }),
      ...makeKeySetRoutes(keyring),
      ...makeOrgRoutes(orgs),
      ...makeOrgChangeRoutes(orgs),
    ],
    verifySession: async (token) => {
      const session = await accessTokens.verify(token)
      return session !== null && (await sessions.isLive(session)) ? session : null
    },
    readRole: roles.read,
    forgetWorkspace: roles.forgetWorkspace,
    forgetUser,
    rotateKeys: keyring.rotate,
    stop: async () => {
      clearInterval(sweeper)
      ending.abort()
      keyring.stop()
      await mails?.stop()
    },
  }
}

const openMails = ({ smtp = null, onError }: AccountsOptions): MailQueue | null =>
  smtp === null ? null : makeMailQueue({ smtp, onError })
