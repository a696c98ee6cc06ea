// Describes what deleting the account of a member means for one organization.
import type { Schemas } from '../../api/client.ts'
import type { Role } from '../../app/roles.ts'

/** `role`: the role of the member whose account is deleted. */
export function tellConsequence(
  role: Role,
  members: readonly Pick<Schemas['Member'], 'role'>[],
  workspaces: readonly string[],
): string {
  if (members.length <= 1) {
    const names = workspaces.length === 0 ? '' : ` and all data of ${workspaces.join(', ')}`
    return `it has no other members, so it is deleted${names}.`
  }
  const owners = members.filter((one) => one.role === 'owner').length
  if (role === 'owner' && owners <= 1) {
    return 'you are its last owner, so this is refused: make another member an owner first, or remove the other members.'
  }
  return 'you leave it; the organization and the keys that you created remain.'
}
