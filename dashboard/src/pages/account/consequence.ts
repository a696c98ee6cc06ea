// Describes what deleting the account of a member means for one organization.
import type { Schemas } from '../../api/client.ts'
import type { Role } from '../../app/roles.ts'

type Members = readonly Pick<Schemas['Member'], 'role'>[]

/** Whether the service refuses the deletion: the other members would be left without an owner. */
export const isLastOwner = (role: Role, members: Members): boolean =>
  members.length > 1 && role === 'owner' && members.filter((one) => one.role === 'owner').length <= 1

/** `role`: the role of the member whose account is deleted. */
export function tellConsequence(role: Role, members: Members, workspaces: readonly string[]): string {
  if (members.length <= 1) {
    const names = workspaces.length === 0 ? '' : ` and all data of ${workspaces.join(', ')}`
    return `it has no other members, so it is deleted${names}.`
  }
  if (isLastOwner(role, members)) {
    return 'you are its last owner, so this is refused: make another member an owner first, or remove the other members.'
  }
  return 'you leave it; the organization and the keys that you created remain.'
}
