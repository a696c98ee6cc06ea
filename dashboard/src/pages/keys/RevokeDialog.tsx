// The dialog that revokes a key. It first describes what the revocation ends.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { Button, CloseButton, Dialog, ErrorNote } from '../../ui/index.ts'
import { describeRevocation, type Key } from './key-facts.ts'
import styles from './keys.module.css'

type Props = { readonly workspaceId: string; readonly apiKey: Key; readonly onClose: () => void }

export function RevokeDialog({ workspaceId, apiKey, onClose }: Props) {
  const queries = useQueryClient()
  const [openedAtMs] = useState(() => Date.now())
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/keys/{key_id}', { params: { path: { key_id: apiKey.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys', workspaceId] })
      onClose()
    },
  })
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} isOpen isBusy={revoke.isPending} onClose={onClose}>
      <p>
        <code>{apiKey.key_prefix}</code>
      </p>
      <p>{describeRevocation(apiKey, openedAtMs)}</p>
      {revoke.error !== null && <ErrorNote error={revoke.error} />}
      <div className={styles.choices}>
        <Button
          variant="danger"
          unavailable={revoke.isPending ? 'Revoking…' : undefined}
          onClick={() => revoke.mutate()}
        >
          {revoke.isPending ? 'Revoking…' : 'Revoke the key'}
        </Button>
        <CloseButton>Keep it</CloseButton>
      </div>
    </Dialog>
  )
}
