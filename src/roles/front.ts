// The front role: answers requests from memory, the actors and the database.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeAuditRoutes } from '../accounts/audit/audit-routes.ts'
import { openSmtp, type SendMail } from '../accounts/mail/smtp.ts'
import { type Accounts, openAccounts } from '../accounts/open.ts'
import { hashCostOf } from '../accounts/password/hash.ts'
import { monotonicClock } from '../actors/clock.ts'
import { openCommitWaiters } from '../actors/commit-waiters.ts'
import type { Notices } from '../actors/notices.ts'
import { deriveKeys } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { makeBuild } from '../dashboard/build.ts'
import { type Dashboard, openDashboard } from '../dashboard/open.ts'
import { makeDecisionRoutes } from '../decisions/routes.ts'
import { makeMeasurementRoutes } from '../decisions/trials/measurement-routes.ts'
import { makeFindingRoutes } from '../findings/routes.ts'
import { openKeys } from '../keys/open.ts'
import { makeObserveRoutes } from '../queries/routes.ts'
import type { FastPathDeps } from '../serving/fast-path.ts'
import { makeUsageRoutes } from '../usage/routes.ts'
import type { Authenticator } from '../web/authenticate.ts'
import { makeMetaRoute } from '../web/meta-route.ts'
import { openCursors } from '../web/page.ts'
import type { FindPage } from '../web/pages.ts'
import { limitChanges, openRateLimit } from '../web/rate-limit.ts'
import type { Route } from '../web/route.ts'
import { isAuthenticated, isChange, isRead, makeShares } from '../web/shares.ts'
import { insertWorkspace } from '../workspaces/create.ts'
import { deleteWorkspacesOf } from '../workspaces/delete.ts'
import { readKeepDays } from '../workspaces/keep-days.ts'
import { makeWorkspaceRoutes } from '../workspaces/routes.ts'
import { type ActorClient, openActorRouter } from './actor-router.ts'
import { type AppContext, halfOfControl, rulesPollAfterS } from './app-context.ts'
import { openApply } from './apply.ts'
import { openIngest } from './ingest.ts'
import { readSecrets } from './secret.ts'
import { openStatsRows } from './stats-rows.ts'
import { makeStopList } from './stop-list.ts'

export type FrontRole = {
  readonly authenticator: Authenticator
  readonly routes: readonly Route[]
  /** Returns a handler that runs before the routes and answers requests that memory can answer at once. */
  makeFastPath(deps: Omit<FastPathDeps, 'peekKey'>): (request: IncomingMessage, response: ServerResponse) => boolean
  readonly findPage: FindPage | undefined
  readonly describe: ActorClient['describe']
  readonly stop: () => Promise<void>
}

const audience = 'tracewright'
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Can serve when it resolves. Throws Outage; nothing is left running then. */
export async function openFront(app: AppContext): Promise<FrontRole> {
  const stops = makeStopList()
  try {
    return { ...(await open(app, stops)), stop: stops.run }
  } catch (error) {
    await stops.run()
    throw error
  }
}

async function open(app: AppContext, stops: ReturnType<typeof makeStopList>): Promise<Omit<FrontRole, 'stop'>> {
  const { config, databases, bus, clock, onError } = app
  const { notices } = bus
  const { control, reads } = databases
  const secrets = readSecrets(config)

  const actorClient = await openActorRouter(app)
  stops.add(actorClient.stop)
  const commits = openCommitWaiters(notices)
  stops.add(commits.stop)
  app.metrics.watch('tracewright_tails_parked', 'Long polls that wait for the next commit of a workspace', () =>
    commits.count(),
  )
  const cursors = openCursors(deriveKeys(secrets, 'cursors'), clock.nowMs)
  const deletions = openDeletions(notices)
  stops.add(deletions.stop)
  const accounts = await openFrontAccounts(app, secrets, deletions.publish)
  stops.add(accounts.stop)
  const apply = openApply(app, actorClient)
  stops.add(apply.stop)
  const keys = openKeys({
    db: control,
    nowMs: clock.nowMs,
    onForgotten: apply.recheckKeys,
    queriesOfClient: halfOfControl(config),
    publishRevoked: notices.publishKeyRevoked,
    onError,
    ...(bus.isClustered
      ? { watch: { db: databases.cluster, clock: monotonicClock, isDatabaseAway: actorClient.isDatabaseAway } }
      : {}),
  })
  stops.add(keys.stop)
  app.metrics.watch(
    'tracewright_key_watch_age_seconds',
    'Time since this front last read the keys that other processes revoked; 0 without a cluster',
    () => keys.revocationAgeMs() / 1_000,
  )
  const ingest = openIngest(app, actorClient)
  stops.add(ingest.stop)

  stops.add(notices.subscribeKeysRevoked(keys.forget))
  stops.add(
    notices.subscribeChanges((workspaceId, kind) => {
      if (kind === 'plan') ingest.forgetWorkspace(workspaceId)
    }),
  )
  const rows = openStatsRows(app)
  for (const forget of [keys.forgetWorkspace, accounts.forgetWorkspace, ingest.forgetWorkspace, rows.forget])
    deletions.onDeleted(forget)
  stops.add(notices.subscribeMemberships(accounts.forgetUser))
  bus.onGap(commits.wakeAll)

  const { readShares, controlShares } = openShares(app)
  const changeRates = {
    ofSession: openRateLimit(changesPerMinute.ofSession, 60),
    ofUser: openRateLimit(changesPerMinute.ofUser, 60),
  }
  const limitRate = (routes: readonly Route[]): Route[] =>
    config.AUTH_RATE_LIMITS === 'off' ? [...routes] : limitChanges(routes, changeRates)
  const observing = [
    ...makeObserveRoutes({ db: reads, control, rows, cursors, commits, nowMs: clock.nowMs }),
    ...makeUsageRoutes({ db: reads, nowMs: clock.nowMs }),
    ...makeDecisionRoutes({
      db: reads,
      control,
      publishRules: (workspaceId) => notices.publishChange(workspaceId, 'rules'),
    }),
    ...makeMeasurementRoutes({ db: reads, cursors }),
    ...makeFindingRoutes({ db: reads, control, cursors }),
  ]
  const audits = makeAuditRoutes({ db: reads, control, cursors, now: () => new Date(clock.nowMs()) })
  const page = await openPage(app)
  if (page !== null) stops.add(page.stop)

  const workspaceRoutes = makeWorkspaceRoutes({
    db: control,
    defaultPlan: config.DEFAULT_PLAN,
    freeWorkspaces: config.FREE_WORKSPACES,
    keepDaysOf: (plan, chosenDays) => readKeepDays(config, plan, chosenDays),
    publishDeleted: deletions.publish,
    publishSettings: (workspaceId) => notices.publishChange(workspaceId, 'plan'),
    maxTracesBodyBytes: config.INGEST_MAX_BODY_BYTES,
    rulesPollAfterS,
  })
  return {
    findPage: page?.findPage,
    describe: actorClient.describe,
    authenticator: { session: accounts.verifySession, key: keys.verifyKey, role: accounts.readRole },
    makeFastPath: (deps) => apply.makeFastPath({ ...deps, peekKey: keys.peekKey }),
    routes: [
      makeMetaRoute({ signupOpen: config.SIGNUP === 'open', mailer: config.SMTP_URL !== undefined }),
      ...limitRate(controlShares.limit(accounts.routes, isAuthenticated)),
      ...readShares.limit(audits, isAuthenticated),
      ...limitRate(controlShares.limit([...workspaceRoutes, ...keys.routes], isAuthenticated)),
      ...ingest.routes,
      ...apply.routes,
      ...limitRate(controlShares.limit(readShares.limit(observing, isRead), isChange)),
    ],
  }
}

type PublishDeleted = (workspaceId: string) => void

async function openFrontAccounts(
  { config, databases, bus, clock, log, onError }: AppContext,
  secrets: ReturnType<typeof readSecrets>,
  publishDeleted: PublishDeleted,
): Promise<Accounts> {
  return await openAccounts({
    db: databases.control,
    secrets,
    issuer: config.PUBLIC_URL,
    audience,
    insertWorkspace: (tx, workspace) => insertWorkspace(tx, { ...workspace, plan: config.DEFAULT_PLAN }),
    deleteWorkspaces: deleteWorkspacesOf,
    publishDeleted,
    publicUrl: config.PUBLIC_URL,
    signupOpen: config.SIGNUP === 'open',
    smtp: openMailServer(config),
    publishMembership: bus.notices.publishMembership,
    onError,
    now: () => new Date(clock.nowMs()),
    onResealed: (count) =>
      log.info(
        count,
        count.signingKeys + count.sessions === 0
          ? 'nothing is encrypted with the other secret'
          : 're-encrypted what was encrypted with the other secret',
      ),
    hashCost: hashCostOf(config.PASSWORD_HASH_MEMORY_MIB),
    ...(config.AUTH_RATE_LIMITS === 'off' ? { limits: unlimited } : {}),
  })
}

/** What this front knows of a workspace is forgotten when the workspace is deleted, here or elsewhere. */
function openDeletions(notices: Notices) {
  const forgets: PublishDeleted[] = []
  const forgetAll = (workspaceId: string): void => {
    for (const forget of forgets) forget(workspaceId)
  }
  const publish = (workspaceId: string): void => {
    // Before the answer, since the caller may ask at once.
    forgetAll(workspaceId)
    notices.publishDeletion(workspaceId)
  }
  return {
    onDeleted: (forget: PublishDeleted) => void forgets.push(forget),
    publish,
    stop: notices.subscribeDeletions(forgetAll),
  }
}

/** The limits of what one workspace or user may run at once. */
function openShares({ config, metrics }: AppContext) {
  const readShares = makeShares({
    concurrent: shareOfOne(config.DATABASE_READ_CONNECTIONS),
    maxWaiting: 100,
    maxWaitMs: 10_000,
  })
  const controlShares = makeShares({
    concurrent: shareOfOne(config.DATABASE_CONTROL_CONNECTIONS),
    maxWaiting: 100,
    maxWaitMs: 5_000,
  })
  metrics.watch('tracewright_reads_waiting', 'Reads that wait for other reads of the same workspace or user', () =>
    readShares.waiting(),
  )
  metrics.watch(
    'tracewright_control_requests_waiting',
    'Requests about accounts, keys, rules and settings that wait for others of the same workspace or user',
    () => controlShares.waiting(),
  )
  return { readShares, controlShares }
}

/**
 * On this front. Each change may write a line of the audit log. A script that sets up workspaces and keys stays below it. A user may have 20
 * sessions.
 */
const changesPerMinute = { ofSession: 600, ofUser: 1_200 }

/** Concurrent requests of one workspace, or of one user: three quarters of the connections, and never all of them if there are several. */
const shareOfOne = (connections: number): number =>
  Math.max(1, Math.min(connections - 1, Math.ceil(connections * 0.75)))

/** Null if the settings turn the dashboard off. */
async function openPage({ config, log }: AppContext): Promise<Dashboard | null> {
  if (config.DASHBOARD === 'off') return null
  return await openDashboard({
    folder: join(root, 'dashboard/dist'),
    build: config.DASHBOARD === 'build' ? makeBuild(root) : null,
    onBuilding: () => log.info('building the dashboard'),
    onBuilt: (seconds) => log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the dashboard is built'),
    onError: (error) => log.error({ error }, 'the dashboard cannot be served'),
  })
}

const openMailServer = ({ SMTP_URL: url, SMTP_FROM: from }: Config): SendMail | null =>
  url === undefined || from === undefined ? null : openSmtp({ url, from })

const without = { points: Number.MAX_SAFE_INTEGER, windowS: 1 }
const unlimited = {
  loginByAccountAndIp: without,
  loginByAccount: without,
  loginByIp: without,
  loginBySite: without,
  loginByDevice: without,
  passwordBySession: without,
  resetByIp: without,
  resetByAccount: without,
  refreshByIp: without,
  tokenByIp: without,
  signupByIp: without,
}
