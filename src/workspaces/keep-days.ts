// How long a workspace keeps what it was sent.
import { readPlan } from './plans.ts'

/** By the names of the settings of the service. */
type Limits = {
  /** Of the plan self_hosted; undefined: for ever. */
  readonly RETENTION_DAYS: number | undefined
  /** The age at which a span is still accepted. */
  readonly INGEST_MAX_AGE_S: number
}

const dayS = 86_400

/**
 * Never less than a day beyond the age at which a span is still accepted: what is dropped must not come back. A workspace may choose less
 * than its plan keeps. Null: for ever.
 */
export function readKeepDays(limits: Limits, planName: string, chosenDays: number | null = null): number | null {
  const plan = readPlan(planName)
  const planDays = plan.name === 'self_hosted' ? (limits.RETENTION_DAYS ?? plan.retentionDays) : plan.retentionDays
  const days = limitDays(planDays, chosenDays)
  return days === null ? null : Math.max(days, Math.ceil(limits.INGEST_MAX_AGE_S / dayS) + 1)
}

/** The days that are kept where a workspace chose some itself (null: none): never more than its plan keeps. Null: for ever. */
export function limitDays(planDays: number | null, chosenDays: number | null): number | null {
  return chosenDays === null || planDays === null ? (chosenDays ?? planDays) : Math.min(chosenDays, planDays)
}
