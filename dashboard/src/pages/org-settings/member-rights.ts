// What the user may do to a member, and what each role permits. The service enforces this; the page shows the reason before a user tries.
import type { Org, Schemas } from '../../api/client.ts'
import { explainMissing } from '../../app/roles.ts'

export type Member = Schemas['Member']

type Case = { readonly org: Org; readonly userId: string; readonly member: Member; readonly owners: number }

const lastOwner = 'An organization must keep at least one owner: make somebody else an owner first'

/**
 * Returns the number of owners, or infinity if the list is full: an owner may be beyond its end, so only the
 * service knows which one is the last.
 */
export const countOwners = (members: readonly Member[], mostMembers: number): number =>
  members.length < mostMembers ? members.filter(({ role }) => role === 'owner').length : Number.POSITIVE_INFINITY

/** Returns the reason why the user may not change the role of the member; undefined if they may. */
export function whyNotChangeRole({ org, member, owners }: Case): string | undefined {
  const missing = explainMissing(org.role, 'admin')
  if (missing !== undefined) return missing
  if (member.role === 'owner' && org.role !== 'owner') return 'Only an owner changes the role of an owner'
  return member.role === 'owner' && owners <= 1 ? lastOwner : undefined
}

/** Returns the reason why the user may not remove the member; undefined if they may. All members may leave, except the last owner. */
export function whyNotRemove({ org, userId, member, owners }: Case): string | undefined {
  if (member.user_id !== userId) {
    const missing = explainMissing(org.role, 'admin')
    if (missing !== undefined) return missing
    if (member.role === 'owner' && org.role !== 'owner') return 'Only an owner removes an owner'
  }
  return member.role === 'owner' && owners <= 1 ? lastOwner : undefined
}

/** Returns the reason why the user may not create a reset link; undefined if they may. A holder of the link can sign in as the member. */
export function whyNotResetLink({ org, userId, member }: Case): string | undefined {
  if (member.user_id === userId) return 'Change your own password in your account'
  return explainMissing(org.role, 'owner')
}
