// Floor 4. The actors of a process and the front's way to them. With NATS and partitions, only what is opened here changes.
import { randomBytes } from 'node:crypto'
import { openCommitWaiters } from '../actors/commit-waiters.ts'
import { openActorHost } from '../actors/host.ts'
import { makeNotices } from '../actors/notices.ts'
import { readQuota } from '../actors/read-quota.ts'
import { makeActorRouter } from '../actors/router.ts'
import { openLocalTransport } from '../bus/local.ts'
import { readRules } from '../decisions/snapshot.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../watch/log.ts'
import type { Metrics } from '../watch/metrics.ts'
import { readPlan } from '../workspaces/plans.ts'

export type Actors = ReturnType<typeof openActors>

export function openActors(db: Database, rulesPollAfterS: number, log: Log, metrics: Metrics) {
  const onError = (error: unknown): void => log.error({ error }, 'an actor failed')
  const transport = openLocalTransport({ onError })
  const notices = makeNotices(transport)
  const boot = randomBytes(3).toString('hex')
  const rules = (workspaceId: string, ifVersion: number | null) =>
    readRules({ db, pollAfterS: rulesPollAfterS }, workspaceId, ifVersion)
  const host = openActorHost({
    transport,
    notices,
    boot,
    onError,
    actor: {
      readQuota: (workspaceId) => readQuota({ db, quotaOf: (plan) => readPlan(plan).eventQuota }, workspaceId),
      readRules: rules,
      nowMs: () => performance.now(),
    },
  })
  const router = makeActorRouter({
    transport,
    boot,
    route: () => ({ token: host.token, epoch: host.epoch }),
    onRequest: (op, result) => metrics.actorRequests.inc({ op, result }),
    onFallback: (path) => metrics.fallbacks.inc({ path }),
  })
  const commits = openCommitWaiters(notices)
  return {
    notices,
    router,
    commits,
    readRules: rules,
    async stop() {
      commits.stop()
      await host.stop()
      await transport.stop()
    },
  }
}
