import type { Org } from '../../api/client.ts'
import type { Member } from './member-rights.ts'

/** The properties of all dialogs about a member. */
export type MemberDialogProps = {
  readonly org: Org
  /** The id of the signed-in user. */
  readonly userId: string
  readonly member: Member
  readonly onClose: () => void
}
