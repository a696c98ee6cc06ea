// The dialog that creates a link by which a member chooses a new password, for use where the service sends no mail.
// The link is shown nowhere else.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import styles from '../../settings/settings.module.css'
import { Button, CloseButton, CopyLine, Dialog, ErrorNote } from '../../ui/index.ts'
import type { MemberDialogProps } from './dialog-props.ts'

export function ResetLinkDialog({ org, member, onClose }: MemberDialogProps) {
  // The link exists only in the state of this component, so it is discarded when the dialog closes.
  const [url, setUrl] = useState<string | null>(null)
  const make = useMutation({
    mutationFn: async () => {
      const link = await dataOf(
        api.POST('/v1/orgs/{org_id}/members/{user_id}/reset-link', {
          params: { path: { org_id: org.id, user_id: member.user_id } },
        }),
      )
      setUrl(link.url)
    },
    gcTime: 0,
  })
  if (url !== null) {
    return (
      <Dialog title="Send this link now" isOpen isDismissable={false} onClose={onClose}>
        <p>
          This is the only time that it is shown. It is valid for one hour and works once. Give it to {member.email} and
          to no other person: anyone who opens it can sign in as them.
        </p>
        <CopyLine text={url} label="Reset link" />
        <CloseButton variant="primary">I sent it</CloseButton>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Reset link for ${member.email}?`} isOpen isBusy={make.isPending} onClose={onClose}>
      <p>
        With the link they choose a new password, and all of their sessions end. Earlier links stop working. The audit
        log says that you made it.
      </p>
      {make.error !== null && <ErrorNote error={make.error} />}
      <div className={styles.row}>
        <Button variant="primary" unavailable={make.isPending ? 'Making…' : undefined} onClick={() => make.mutate()}>
          {make.isPending ? 'Making…' : 'Make the link'}
        </Button>
        <CloseButton>Cancel</CloseButton>
      </div>
    </Dialog>
  )
}
