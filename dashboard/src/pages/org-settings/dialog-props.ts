import type { Org } from '../../api/client.ts'
import type { Member } from './member-rights.ts'

/** Of each dialog about a member. */
export type MemberDialogProps = {
  readonly org: Org
  /** Of whoever is signed in. */
  readonly userId: string
  readonly member: Member
  readonly onClose: () => void
}
