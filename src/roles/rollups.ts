// Wires the loop that keeps the rollups up to date, with its metrics and log.
import { type Folding, openFolding } from '../rollups/open-folding.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import { makeLoopSuccess } from '../telemetry/loop-success.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export function openRollupFolding(db: Database, log: Log, metrics: Metrics): Folding {
  // Initialised to 0: a counter that first appears with the value 1 shows no increase and would raise no alarm.
  for (const source of ['delta', 'minute', 'hour', 'day']) metrics.rollupDamage.inc({ source }, 0)
  return openFolding({
    db,
    onWaiting: ({ deltas, lagMs }) => {
      metrics.rollupDeltasWaiting.set(deltas)
      metrics.rollupLagSeconds.set(lagMs / 1_000)
    },
    onFolded: ({ deltas, minutes }) => {
      metrics.rollupDeltasFolded.inc(deltas)
      metrics.rollupMinutesFolded.inc(minutes)
    },
    onRound: makeLoopSuccess(metrics, 'folding'),
    onDone: ({ result }) => {
      if (result !== 'none' && result !== 'held') metrics.rollupWork.inc({ result })
    },
    onDamage: ({ workspaceId, source, fromMs, toMs }) => {
      metrics.rollupDamage.inc({ source })
      const window = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
      log.error({ workspaceId, source, ...window }, 'could not read a rollup; rebuilding its time range from events')
    },
    onError: (error) => {
      metrics.rollupWork.inc({ result: 'failed' })
      metrics.backgroundFailures.inc({ doing: 'keeping rollups up to date' })
      log.warn({ error }, 'could not bring rollups up to date; will retry')
    },
  })
}
