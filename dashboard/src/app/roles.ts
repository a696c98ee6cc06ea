// The roles of an organization, from that which may do least.
import type { Org } from '../api/client.ts'

export type Role = Org['role']

/** Each may do what those before it may. */
export const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** Why somebody of this role may not do what takes that one; undefined where they may, or where their role is not known yet. */
export function explainMissing(role: Role | undefined, needed: Role): string | undefined {
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  const [above, whom] = needed === 'owner' ? ['', 'an owner'] : [' or above', 'an admin']
  return `This requires the role ${needed}${above}, and yours is ${role}: ask ${whom} of the organization`
}
