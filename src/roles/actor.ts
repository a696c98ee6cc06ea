// Floor 4. The role that owns workspaces and does what nobody waits for. Settling, folding, retention and purging may run in any number.
import type { Check } from '../health/routes.ts'
import { openWorkspacePurge } from '../workspaces/purge.ts'
import { openOwning } from './actor-host.ts'
import { openOptimizer } from './optimizer.ts'
import type { Parts } from './parts.ts'
import { openPlanRetention } from './retention.ts'
import { openRollups } from './rollups.ts'
import { openTraceSettling } from './settling.ts'
import { makeStopList } from './stop-list.ts'

export type ActorRole = {
  /** So that a rollout goes on only where everything is owned and this process owns its part. */
  readonly checks: Readonly<Record<string, Check>>
  readonly stop: () => Promise<void>
}

/** Works when it resolves. Throws Outage; nothing is left running then. */
export async function openActor(parts: Parts): Promise<ActorRole> {
  const { config, databases, bus, log, metrics, onError } = parts
  const stops = makeStopList()
  const owning = await openOwning(parts)
  stops.add(owning.stop)
  const purge = openWorkspacePurge({ db: databases.control, onError })
  stops.add(purge.stop)
  stops.add(bus.notices.subscribeDeletions(() => purge.wake()))
  stops.add(openPlanRetention(config, databases.control, log, metrics).stop)
  stops.add(openRollups(databases.control, log, metrics).stop)
  stops.add(openTraceSettling(parts).stop)
  stops.add(openOptimizer(parts, owning).stop)
  return {
    checks: {
      settled: () => Promise.resolve(owning.describe().isReady),
      heartbeat: () => Promise.resolve(owning.describe().fence === null),
      partitions: () => Promise.resolve(owning.describe().orphans === 0),
    },
    stop: stops.run,
  }
}
