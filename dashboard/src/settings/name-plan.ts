/** As people write it: `self_hosted` is self-hosted. */
export const namePlan = (plan: string): string => plan.replaceAll('_', '-')
