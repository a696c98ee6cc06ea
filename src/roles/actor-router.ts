// Wires the access of a front to the actors: the owners of partitions, requests to them, and their metrics.
import { monotonicClock } from '../actors/clock.ts'
import { openHearing } from '../actors/hearing.ts'
import { openEpochStore } from '../actors/owner/epoch-store.ts'
import { openRouteTable } from '../actors/route-table.ts'
import { makeActorRouter } from '../actors/router.ts'
import type { AppContext } from './app-context.ts'

export type ActorClient = Awaited<ReturnType<typeof openActorRouter>>

/** Knows no owner yet when it resolves. Throws Outage. Throws if the database was created with another number of partitions. */
export async function openActorRouter({ databases, bus, metrics, log }: AppContext) {
  const { transport, boot } = bus
  const epochs = await openEpochStore(databases.cluster)
  const routes = openRouteTable({
    transport,
    clock: monotonicClock,
    readPartitions: epochs.list,
    onChange: () => metrics.routeChanges.inc(),
    onError: (error) => log.error({ error }, 'could not read the owners of partitions; will retry'),
  })
  const router = makeActorRouter({
    transport,
    boot,
    routes,
    clock: monotonicClock,
    onRequest: (op, result) => metrics.actorRequests.inc({ op, result }),
    onRetry: () => metrics.actorRetries.inc(),
    onFallback: (path) => metrics.fallbacks.inc({ path }),
  })
  // Without a cluster, all notices are delivered within this process.
  const hearing = bus.isClustered ? openHearing(transport, monotonicClock) : null
  metrics.watch(
    'tracewright_breakers_open',
    'Partitions whose owner does not answer, so that this front does not wait for it',
    () => router.openBreakers(),
  )
  metrics.watch('tracewright_routes_known', 'Partitions whose owner this front knows', () => routes.known())
  metrics.watch(
    'tracewright_database_away',
    '1 if all live members of the cluster report that the database does not answer, and none has stopped reporting in the last ten minutes; else 0',
    () => (routes.isDatabaseAway() ? 1 : 0),
  )
  return {
    router,
    isDatabaseAway: routes.isDatabaseAway,
    /** True if notices of other processes do not arrive. */
    isDeaf: () => hearing?.isDeaf() === true,
    describe: () => ({
      routesKnown: routes.known(),
      breakersOpen: router.openBreakers(),
      isDatabaseAway: routes.isDatabaseAway(),
    }),
    stop() {
      router.stop()
      hearing?.stop()
      routes.stop()
    },
  }
}
