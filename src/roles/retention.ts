// Floor 4. How long each plan keeps what it was sent, and the loop that removes the rest.
import type { Config } from '../config.ts'
import { openRetention, type Retention } from '../retention/open-retention.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../watch/log.ts'
import type { Metrics } from '../watch/metrics.ts'
import { limitDays, readPlan } from '../workspaces/plans.ts'

const dayS = 86_400

export function openPlanRetention(config: Config, db: Database, log: Log, metrics: Metrics): Retention {
  return openRetention({
    db,
    keepDaysOf: (plan, chosenDays) => readKeepDays(config, plan, chosenDays),
    onRemoved: (removed) => {
      for (const [kind, count] of Object.entries(removed)) metrics.retentionRemoved.inc({ kind }, count)
      log.info(removed, 'removed data past its retention')
    },
    onPassed: () => metrics.loopSuccess.setToCurrentTime({ loop: 'retention' }),
    onError: (error) => {
      metrics.backgroundFailures.inc({ doing: 'removing old events' })
      log.warn({ error }, 'could not remove old events; will retry')
    },
  })
}

/**
 * Never less than a day beyond the age at which a span is still accepted: what is dropped must not come back. A workspace may choose less
 * than its plan keeps. Null: for ever.
 */
export function readKeepDays(
  config: Pick<Config, 'RETENTION_DAYS' | 'INGEST_MAX_AGE_S'>,
  planName: string,
  chosenDays: number | null = null,
): number | null {
  const plan = readPlan(planName)
  const planDays = plan.name === 'self_hosted' ? (config.RETENTION_DAYS ?? plan.retentionDays) : plan.retentionDays
  const days = limitDays(planDays, chosenDays)
  return days === null ? null : Math.max(days, Math.ceil(config.INGEST_MAX_AGE_S / dayS) + 1)
}
