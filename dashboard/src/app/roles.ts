// The roles of an organization and their order.
import type { Org } from '../api/client.ts'

export type Role = Org['role']

/** In ascending order: each role includes the rights of those before it. */
export const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** Returns why `role` is too low for an action that requires `needed`; undefined if it is not, or if the role is not loaded yet. */
export function explainMissing(role: Role | undefined, needed: Role): string | undefined {
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  const [above, whom] = needed === 'owner' ? ['', 'an owner'] : [' or above', 'an admin']
  return `This requires the role ${needed}${above}, and yours is ${role}: ask ${whom} of the organization`
}
