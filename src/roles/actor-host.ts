// Wires the partitions that this process owns and the actors in them, with their metrics and logs.
import { monotonicClock } from '../actors/clock.ts'
import { type ActorHost, openActorHost } from '../actors/host.ts'
import { openEpochStore } from '../actors/owner/epoch-store.ts'
import { type Ownership, openOwnership } from '../actors/owner/ownership.ts'
import { readQuota } from '../actors/read-quota.ts'
import { readRules } from '../decisions/snapshot.ts'
import { readPlan } from '../workspaces/plans.ts'
import { type AppContext, rulesPollAfterS } from './app-context.ts'

export type Owning = Pick<Ownership, 'isOwned' | 'fenceOf' | 'reportFenced' | 'describe' | 'settled'> & {
  stop(): Promise<void>
}

/**
 * Without a cluster, resolves when this process owns every partition; in a cluster it settles later. Throws Outage. Throws if the database
 * was created with another number of partitions.
 */
export async function openOwning({ databases, bus, metrics, log }: AppContext): Promise<Owning> {
  const { transport, notices, member, boot, isClustered } = bus
  const db = databases.control
  const epochs = await openEpochStore(databases.cluster)
  const host: ActorHost = openActorHost({
    transport,
    notices,
    boot,
    mayAnswer: () => ownership.mayAnswer(),
    onFenced: (fence) => ownership.reportFenced(fence),
    onError: (error) => log.error({ error }, 'an actor failed'),
    onTurn: (waitedMs) => metrics.mailboxWaitSeconds.observe(waitedMs / 1_000),
    actor: {
      readQuota: (workspaceId) => readQuota({ db, quotaOf: (plan) => readPlan(plan).eventQuota }, workspaceId),
      readRules: (workspaceId, ifVersion) => readRules({ db, pollAfterS: rulesPollAfterS }, workspaceId, ifVersion),
      nowMs: () => performance.now(),
    },
  })
  const ownership = openOwnership({
    transport,
    epochs,
    member,
    boot,
    clock: monotonicClock,
    // The lock that databases.ts takes guarantees it.
    isAlone: !isClustered,
    server: host,
    onLost: (partition, reason) => {
      metrics.partitionsLost.inc({ reason })
      if (reason !== 'moved') log.warn({ partition, reason }, 'a partition was lost')
    },
    onFenceClosed: (reason) => {
      metrics.fencesClosed.inc({ reason })
      log.warn({ reason }, 'the actors of this process stopped answering: another process may have taken over')
    },
    onError: (error) => log.warn({ error }, 'could not check the ownership of partitions; will retry'),
  })
  // Data in the actors' memory may be affected by notices that were lost meanwhile.
  bus.onGap(host.forget)
  // Initialised to 0, so that the first occurrence shows as an increase.
  for (const reason of ['echo', 'database'] as const) metrics.fencesClosed.inc({ reason }, 0)
  observe(ownership, host, metrics)
  if (!isClustered) await ownership.settled
  return {
    isOwned: ownership.isOwned,
    fenceOf: ownership.fenceOf,
    reportFenced: ownership.reportFenced,
    describe: ownership.describe,
    settled: ownership.settled,
    async stop() {
      await ownership.stop()
      await host.stop()
    },
  }
}

function observe(ownership: Ownership, host: ActorHost, metrics: AppContext['metrics']): void {
  const { watch } = metrics
  watch('tracewright_partitions_owned', 'Partitions that this process owns', () => ownership.describe().owned.length)
  watch(
    'tracewright_partitions_orphaned',
    'Partitions that have no live owner, as this process sees it',
    () => ownership.describe().orphans,
  )
  watch('tracewright_partition_epoch', 'Highest epoch of the partitions that this process owns', () =>
    ownership.describe().owned.reduce((highest, [, epoch]) => Math.max(highest, epoch), 0),
  )
  watch(
    'tracewright_partitions_claimed',
    'Partitions that this process claimed since its start',
    () => ownership.describe().claimed,
  )
  watch(
    'tracewright_members_live',
    'Live members of the cluster, as this process sees it',
    () => ownership.describe().members.filter(({ isLive }) => isLive).length,
  )
  watch(
    'tracewright_heartbeat_echo_age_seconds',
    'Time since this process last received a heartbeat of its own',
    () => ownership.describe().echoAgeMs / 1_000,
  )
  watch(
    'tracewright_partition_claims_lost',
    'Claims of partitions since the start of this process that failed because another process had claimed the partition, or because of a concurrent write',
    () => ownership.describe().claimsLost,
  )
  watch(
    'tracewright_database_age_seconds',
    'Time since this process last read the owners of the partitions from the database',
    () => ownership.describe().databaseAgeMs / 1_000,
  )
  watch(
    'tracewright_mailbox_messages',
    'Messages that the actors of this process handle or hold in their mailboxes',
    () => host.messageCount(),
  )
  watch('tracewright_actors_active', 'Workspaces that have an actor in memory', () => host.activeCount())
}
