// Users for tests, with an org, a workspace, a session token and a key. The real routes create them, with cheap password hashing.
import { randomBytes } from 'node:crypto'
import { makeAuditRoutes } from '../../src/accounts/audit/audit-routes.ts'
import { type Accounts, type AccountsOptions, openAccounts } from '../../src/accounts/open.ts'
import type { Outcome } from '../../src/base/outcome.ts'
import { type Keys, openKeys } from '../../src/keys/open.ts'
import type { Database } from '../../src/store/database.ts'
import type { Authenticator } from '../../src/web/authenticate.ts'
import { openCursors } from '../../src/web/page.ts'
import type { RequestFacts, Role, Route, Who } from '../../src/web/route.ts'
import { insertWorkspace } from '../../src/workspaces/create.ts'
import { deleteWorkspacesOf } from '../../src/workspaces/delete.ts'
import { limitDays } from '../../src/workspaces/keep-days.ts'
import { readPlan } from '../../src/workspaces/plans.ts'
import { makeWorkspaceRoutes } from '../../src/workspaces/routes.ts'

export type Person = {
  readonly userId: string
  readonly email: string
  readonly password: string
  readonly orgId: string
  readonly workspaceId: string
  /** A live access token, and the refresh token of the same session. */
  readonly token: string
  readonly refreshToken: string
  /** A live key of the workspace; null for members of someone else's org with a role below admin. */
  readonly key: string | null
  readonly keyId: string | null
}

export type People = {
  readonly accounts: Accounts
  readonly keys: Keys
  /** Routes of accounts, workspaces and keys. */
  readonly routes: Route[]
  readonly authenticator: Authenticator
  /** Notices that were published after a commit, oldest first. */
  readonly revoked: string[]
  readonly deleted: string[]
  readonly changedMembers: string[]
  /** Adds a user with a new org, workspace and key or, with `joins`, a member of that person's org. */
  readonly add: (options?: { readonly joins?: Person; readonly role?: Role }) => Promise<Person>
  readonly stop: () => Promise<void>
}

const unlimited = { points: 1_000_000, windowS: 60 }
export const noLimits = {
  loginByAccountAndIp: unlimited,
  loginByAccount: unlimited,
  loginByIp: unlimited,
  loginBySite: unlimited,
  loginByDevice: unlimited,
  passwordBySession: unlimited,
  resetByIp: unlimited,
  resetByAccount: unlimited,
  refreshByIp: unlimited,
  tokenByIp: unlimited,
  signupByIp: unlimited,
}
export const cheapHash = { memoryKib: 64, passes: 1, parallelism: 1 }
/** High enough that no login and no key is refused because the machine is slow. */
export const longTimeouts = { knownMs: 30_000, unknownMs: 60_000 }
export const origin: RequestFacts = {
  id: 'test',
  ip: '127.0.0.1',
  header: () => undefined,
  signal: () => new AbortController().signal,
  isStillKnown: () => Promise.resolve(true),
}

/** Opens accounts, workspaces and keys on one database. A deleted workspace is removed from memory at once, as in the service. */
export async function openPeople(
  db: Database,
  options: Partial<AccountsOptions> & { plan?: string } = {},
): Promise<People> {
  const { plan = 'self_hosted', ...overrides } = options
  const revoked: string[] = []
  const deleted: string[] = []
  const changedMembers: string[] = []
  const fail = (error: unknown): void => {
    throw error
  }
  const accounts = await openAccounts({
    db,
    secrets: [new Uint8Array(32).fill(7)],
    issuer: 'https://tracewright.test',
    audience: 'tracewright',
    publicUrl: 'https://tracewright.test',
    insertWorkspace: async (tx, workspace) => await insertWorkspace(tx, { ...workspace, plan }),
    deleteWorkspaces: deleteWorkspacesOf,
    publishDeleted: (workspaceId) => publishDeleted(workspaceId),
    publishMembership: (userId) => void changedMembers.push(userId),
    onError: fail,
    hashCost: cheapHash,
    limits: noLimits,
    ...overrides,
  })
  const keys = openKeys({
    queriesOfClient: 3,
    db,
    publishRevoked: (digestHex) => void revoked.push(digestHex),
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError: fail,
    timeouts: longTimeouts,
  })
  const publishDeleted = (workspaceId: string): void => {
    deleted.push(workspaceId)
    accounts.forgetWorkspace(workspaceId)
    keys.forgetWorkspace(workspaceId)
  }
  const workspaceRoutes = makeWorkspaceRoutes({
    db,
    defaultPlan: plan,
    publishDeleted,
    publishSettings: () => undefined,
    freeWorkspaces: 3,
    keepDaysOf: (name, chosenDays) => limitDays(readPlan(name).retentionDays, chosenDays),
    maxTracesBodyBytes: 16_777_216,
    rulesPollAfterS: 30,
  })
  const cursors = openCursors([new Uint8Array(32).fill(9)])
  const audits = makeAuditRoutes({ db, control: db, cursors, now: () => new Date() })
  const routes = [...accounts.routes, ...audits, ...workspaceRoutes, ...keys.routes]
  const call = makeCaller(routes)
  return {
    accounts,
    keys,
    routes,
    revoked,
    deleted,
    changedMembers,
    authenticator: { session: accounts.verifySession, key: keys.verifyKey, role: accounts.readRole },
    add: async ({ joins, role = 'member' } = {}) => await addPerson(call, accounts, joins ?? null, role),
    stop: async () => {
      await accounts.stop()
      await keys.stop()
    },
  }
}

type Call = <T>(
  method: string,
  path: string,
  input: { who?: Who<'session'> | null; params?: Record<string, string>; body?: object },
) => Promise<T>

/** Runs the handler of a route without HTTP, with the body as its schema parses it. Throws on a refusal. */
function makeCaller(routes: readonly Route[]): Call {
  return async <T>(
    method: string,
    path: string,
    call: { who?: Who<'session'> | null; params?: Record<string, string>; body?: object },
  ) => {
    const route = routes.find((candidate) => candidate.method === method && candidate.path === path)
    if (route?.kind !== 'json') throw new Error(`there is no JSON route ${method} ${path}`)
    const { who = null, params = {}, body = {} } = call
    const read = route.body === null ? body : route.body.parse(body)
    const input = { who, params, query: {}, body: read, request: origin, reply: { setHeader: () => undefined } }
    const outcome = (await route.handle(input)) as Outcome<T, string>
    if (!outcome.ok) throw new Error(`${method} ${path} refused: ${outcome.code}`)
    return outcome.value
  }
}

type SignedUp = { user: { id: string }; org: { id: string }; access_token: string; refresh_token: string }

async function addPerson(call: Call, accounts: Accounts, host: Person | null, role: Role): Promise<Person> {
  const email = `person-${randomBytes(6).toString('hex')}@example.test`
  const password = `Kx${randomBytes(12).toString('base64url')}`
  const hostSession = host === null ? null : await accounts.verifySession(host.token)
  const invite =
    host === null
      ? null
      : await call<{ token: string }>('POST', '/v1/orgs/{org_id}/invites', {
          who: hostSession,
          params: { org_id: host.orgId },
          body: { email, role },
        })
  const body = { email, password, ...(invite === null ? {} : { invite_token: invite.token }) }
  const made = await call<SignedUp>('POST', '/v1/auth/signup', { body })
  const who = await accounts.verifySession(made.access_token)
  const workspaceId = host?.workspaceId ?? (await call<{ id: string }[]>('GET', '/v1/workspaces', { who }))[0]?.id
  if (workspaceId === undefined) throw new Error('the new user has no workspace')
  const mayMint = host === null || role === 'admin' || role === 'owner'
  const minted = mayMint
    ? await call<{ id: string; api_key: string }>('POST', '/v1/keys', {
        who,
        body: { workspace_id: workspaceId, name: 'test' },
      })
    : null
  return {
    userId: made.user.id,
    email,
    password,
    orgId: made.org.id,
    workspaceId,
    token: made.access_token,
    refreshToken: made.refresh_token,
    key: minted?.api_key ?? null,
    keyId: minted?.id ?? null,
  }
}
