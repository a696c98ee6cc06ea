// What the person may do to a member, and what each role may do at all. The service decides; this says why before somebody tries.
import type { Org, Schemas } from '../../api/client.ts'
import { explainMissing, type Role, ranks } from '../../app/roles.ts'

export type Member = Schemas['Member']

type Case = { readonly org: Org; readonly userId: string; readonly member: Member; readonly owners: number }

const lastOwner = 'An organization must keep at least one owner: make somebody else an owner first'

/** Where the list is full, an owner may stand behind its end, and only the service can tell who is the last one. */
export const countOwners = (members: readonly Member[], mostMembers: number): number =>
  members.length < mostMembers ? members.filter(({ role }) => role === 'owner').length : Number.POSITIVE_INFINITY

/** Why not; undefined where they may. */
export function whyNotChangeRole({ org, member, owners }: Case): string | undefined {
  const missing = explainMissing(org.role, 'admin')
  if (missing !== undefined) return missing
  if (member.role === 'owner' && org.role !== 'owner') return 'Only an owner changes the role of an owner'
  return member.role === 'owner' && owners <= 1 ? lastOwner : undefined
}

/** Everybody may leave. */
export function whyNotRemove({ org, userId, member, owners }: Case): string | undefined {
  if (member.user_id !== userId) {
    const missing = explainMissing(org.role, 'admin')
    if (missing !== undefined) return missing
    if (member.role === 'owner' && org.role !== 'owner') return 'Only an owner removes an owner'
  }
  return member.role === 'owner' && owners <= 1 ? lastOwner : undefined
}

/** Whoever holds the link becomes the member. */
export function whyNotResetLink({ org, userId, member }: Case): string | undefined {
  if (member.user_id === userId) return 'Change your own password in your account'
  return explainMissing(org.role, 'owner')
}

/** Only an owner makes owners. */
export const listGivable = (role: Role): readonly Role[] =>
  ranks.filter((one) => ranks.indexOf(one) <= ranks.indexOf(role)).toReversed()

export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, including granting the role owner and creating reset links.',
  admin: 'Manages workspaces, settings, prices, keys, members and invites, and reads the audit log.',
  member: 'Reads everything, and changes the state of rules and findings.',
  viewer: 'Reads everything and changes nothing.',
}
