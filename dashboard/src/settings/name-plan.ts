/** Returns the name of a plan for display: `self_hosted` becomes `self-hosted`. */
export const namePlan = (plan: string): string => plan.replaceAll('_', '-')
