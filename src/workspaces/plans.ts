// The plans that a workspace may be on, and their caps.

/** Null: no cap. */
export type Plan = {
  readonly name: string
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** Null: kept for ever. */
  readonly retentionDays: number | null
  /** Only so many workspaces of the plan, as the settings say, may one user have made. */
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

/** The plan of this name; eventQuota counts accepted events a month (UTC), agentCap agents, retentionDays from an event's start. Throws on a name that is none. */
export function readPlan(name: string): Plan {
  const plan = plans.get(name)
  if (plan === undefined) throw new Error(`unknown plan ${name}; the plans are ${planNames.join(', ')}`)
  return plan
}
