// The actor role: owns workspaces and does the background work. Settling, folding, retention and purging may run in any number of
// processes.
import type { Optimizing } from '../decisions/open-optimizing.ts'
import type { Check } from '../health/routes.ts'
import { makeLoopSuccess } from '../telemetry/loop-success.ts'
import { openWorkspacePurge } from '../workspaces/purge.ts'
import { type Owning, openOwning } from './actor-host.ts'
import type { AppContext } from './app-context.ts'
import { openOptimizer } from './optimizer.ts'
import { openPlanRetention } from './retention.ts'
import { openRollupFolding } from './rollups.ts'
import { openTraceSettling } from './settling.ts'
import { makeStopList } from './stop-list.ts'

export type ActorRole = {
  /** A rollout continues only when every partition has an owner and this process owns its share. */
  readonly checks: Readonly<Record<string, Check>>
  readonly describe: Owning['describe']
  readonly stop: () => Promise<void>
}

/** Ready when it resolves. Throws Outage; nothing is left running then. */
export async function openActor(app: AppContext): Promise<ActorRole> {
  const { config, databases, bus, log, metrics, onError } = app
  const stops = makeStopList()
  const owning = await openOwning(app)
  stops.add(owning.stop)
  const recordPurge = makeLoopSuccess(metrics, 'purging')
  const purge = openWorkspacePurge({
    db: databases.control,
    onError,
    onPassed(found) {
      metrics.purgesWaiting.set(found)
      recordPurge()
    },
  })
  stops.add(purge.stop)
  stops.add(bus.notices.subscribeDeletions(() => purge.wake()))
  stops.add(openPlanRetention(config, databases.control, log, metrics).stop)
  stops.add(openRollupFolding(databases.control, log, metrics).stop)
  stops.add(openTraceSettling(app).stop)
  stops.add(optimizeWhenSettled(app, owning))
  return {
    checks: {
      settled: () => Promise.resolve(owning.describe().isReady),
      heartbeat: () => Promise.resolve(owning.describe().fence === null),
      partitions: () => Promise.resolve(owning.describe().orphans === 0),
    },
    describe: owning.describe,
    stop: stops.run,
  }
}

/**
 * Starts the optimizer once ownership is settled: it begins with a scan of all workspaces and must know which ones this process owns.
 * Returns a function that stops it.
 */
function optimizeWhenSettled(app: AppContext, owning: Owning): () => Promise<void> {
  let isStopped = false
  let optimizing: Optimizing | null = null
  void owning.settled.then(() => {
    if (!isStopped) optimizing = openOptimizer(app, owning)
  })
  return async () => {
    isStopped = true
    await optimizing?.stop()
  }
}
