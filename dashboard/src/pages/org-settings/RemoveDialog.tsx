// The dialog that removes a member, or by which a member leaves.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { ConfirmDialog } from '../../settings/ConfirmDialog.tsx'
import type { MemberDialogProps } from './dialog-props.ts'

export function RemoveDialog({ org, userId, member, onClose }: MemberDialogProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isOwn = member.user_id === userId
  const remove = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/v1/orgs/{org_id}/members/{user_id}', {
          params: { path: { org_id: org.id, user_id: member.user_id } },
        }),
      ),
    onSuccess: async () => {
      if (isOwn) {
        // Any loaded data may belong to the organization.
        queries.clear()
        await navigate({ to: '/' })
        return
      }
      await Promise.all(['members', 'invites'].map((key) => queries.invalidateQueries({ queryKey: [key, org.id] })))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={isOwn ? `Leave ${org.name}?` : `Remove ${member.email}?`}
      action={isOwn ? 'Leave the organization' : 'Remove the member'}
      refusal={isOwn ? 'Stay' : 'Keep them'}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isOwn
        ? 'You lose access to all of its workspaces at once. You can return only by an invite.'
        : 'They lose access to all workspaces of the organization at once, and invites that they made are withdrawn. Keys that they created continue to work: revoke those that only they know.'}
    </ConfirmDialog>
  )
}
