// Wires the loop that removes data which no workspace keeps any longer.
import type { PassLoop } from '../base/pass-loop.ts'
import type { Config } from '../config.ts'
import { openRetention } from '../retention/open-retention.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import { makeLoopSuccess } from '../telemetry/loop-success.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { readKeepDays } from '../workspaces/keep-days.ts'

export function openPlanRetention(config: Config, db: Database, log: Log, metrics: Metrics): PassLoop {
  return openRetention({
    db,
    keepDaysOf: (plan, chosenDays) => readKeepDays(config, plan, chosenDays),
    onRemoved: (removed) => {
      for (const [kind, count] of Object.entries(removed)) metrics.retentionRemoved.inc({ kind }, count)
      log.info(removed, 'removed data past its retention')
    },
    onPassed: makeLoopSuccess(metrics, 'retention'),
    onError: (error) => {
      metrics.backgroundFailures.inc({ doing: 'removing old events' })
      log.warn({ error }, 'could not remove old events; will retry')
    },
  })
}
