// Floor 4. How long a workspace keeps what it was sent.
import type { Config } from '../config.ts'
import { limitDays, readPlan } from '../workspaces/plans.ts'

const dayS = 86_400

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
