// The roles of an organization and their order.
import type { Org } from '../api/client.ts'

export type Role = Org['role']

/** In ascending order: each role includes the rights of those before it. */
const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** Returns why `role` is too low for an action that requires `needed`; undefined if it is not, or if the role is not loaded yet. */
export function explainMissing(role: Role | undefined, needed: Role): string | undefined {
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  const [above, whom] = needed === 'owner' ? ['', 'an owner'] : [' or above', 'an admin']
  return `This requires the role ${needed}${above}, and yours is ${role}: ask ${whom} of the organization`
}

/** Returns the roles that a user of this role may give: all up to this role, so only an owner makes owners. */
export const listGivable = (role: Role): readonly Role[] =>
  ranks.filter((one) => ranks.indexOf(one) <= ranks.indexOf(role)).toReversed()

export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, including granting the role owner and creating reset links.',
  admin: 'Manages workspaces, settings, prices, keys, members and invites, and reads the audit log.',
  member: 'Reads everything, and changes the state of rules and findings.',
  viewer: 'Reads everything and changes nothing.',
}
