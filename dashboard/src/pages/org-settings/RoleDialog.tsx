// The dialog that changes the role of a member. It describes what each role permits.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { listGivable, roleWords } from '../../app/roles.ts'
import { Choice, Choices } from '../../settings/Choices.tsx'
import { CloseButton, Dialog } from '../../ui/index.ts'
import type { MemberDialogProps } from './dialog-props.ts'

export function RoleDialog({ org, userId, member, onClose }: MemberDialogProps) {
  const queries = useQueryClient()
  const [role, setRole] = useState(member.role)
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/v1/orgs/{org_id}/members/{user_id}', {
          params: { path: { org_id: org.id, user_id: member.user_id } },
          body: { role },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['members', org.id] })
      if (member.user_id === userId) await queries.invalidateQueries({ queryKey: ['me'] })
      onClose()
    },
  })
  return (
    <Dialog title={`Role of ${member.email}`} isOpen isBusy={change.isPending} onClose={onClose}>
      <EntryForm
        submit={{ label: role === member.role ? 'Save' : `Make them ${role}`, sending: 'Saving…' }}
        error={change.error}
        isSending={change.isPending}
        unavailable={role === member.role ? 'This is the role that they have' : undefined}
        onSend={() => change.mutate()}
      >
        {() => (
          <Choices legend="Role in the organization, for all of its workspaces">
            {listGivable(org.role).map((one) => (
              <Choice key={one} name="role" label={one} isChosen={one === role} onChoose={() => setRole(one)}>
                {roleWords[one]}
              </Choice>
            ))}
          </Choices>
        )}
      </EntryForm>
      <CloseButton variant="quiet">Cancel</CloseButton>
    </Dialog>
  )
}
