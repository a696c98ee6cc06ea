// The plans of workspaces, and their limits.

/** Null: no limit. */
export type Plan = {
  readonly name: string
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** Null: forever. */
  readonly retentionDays: number | null
  /** The number of workspaces on this plan that one user may create is limited by the settings. */
  readonly isFree: boolean
}

const plans: ReadonlyMap<string, Plan> = new Map(
  [
    { name: 'self_hosted', eventQuota: null, agentCap: null, retentionDays: null, isFree: false },
    { name: 'free', eventQuota: 50_000, agentCap: 5, retentionDays: 30, isFree: true },
    { name: 'team', eventQuota: 5_000_000, agentCap: 100, retentionDays: 90, isFree: false },
  ].map((plan) => [plan.name, plan]),
)

export const planNames: readonly string[] = [...plans.keys()]

/** Returns the plan. eventQuota: accepted events a month (UTC); retentionDays: from an event's start. Throws on an unknown name. */
export function readPlan(name: string): Plan {
  const plan = plans.get(name)
  if (plan === undefined) throw new Error(`unknown plan ${name}; the plans are ${planNames.join(', ')}`)
  return plan
}
