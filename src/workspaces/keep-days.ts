// The retention of a workspace, in days.
import { readPlan } from './plans.ts'

/** Settings of the service, by their names. */
type Limits = {
  /** Retention of the plan self_hosted; undefined: forever. */
  readonly RETENTION_DAYS: number | undefined
  /** The maximum age of an accepted span. */
  readonly INGEST_MAX_AGE_S: number
}

const dayS = 86_400

/**
 * Returns the days for which a workspace keeps data: those of its plan, or fewer if the workspace chose so; null: forever. Always at least
 * a day longer than the maximum age of an accepted span, so that dropped data cannot be stored again.
 */
export function readKeepDays(limits: Limits, planName: string, chosenDays: number | null = null): number | null {
  const plan = readPlan(planName)
  const planDays = plan.name === 'self_hosted' ? (limits.RETENTION_DAYS ?? plan.retentionDays) : plan.retentionDays
  const days = limitDays(planDays, chosenDays)
  return days === null ? null : Math.max(days, Math.ceil(limits.INGEST_MAX_AGE_S / dayS) + 1)
}

/** Returns the smaller retention; null: forever. `planDays` null: the plan keeps data forever; `chosenDays` null: none chosen. */
export function limitDays(planDays: number | null, chosenDays: number | null): number | null {
  return chosenDays === null || planDays === null ? (chosenDays ?? planDays) : Math.min(chosenDays, planDays)
}
