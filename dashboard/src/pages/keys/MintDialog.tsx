// A new key: its name, then its text, which is shown here and nowhere else.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { Button, CopyLine, Dialog, TextField } from '../../ui/index.ts'
import { showEnvironment } from '../start/snippets.ts'
import styles from './keys.module.css'

type Props = { readonly workspaceId: string; readonly onClose: () => void }

export function MintDialog({ workspaceId, onClose }: Props) {
  const queries = useQueryClient()
  // In the state of this component alone: it is gone as soon as the dialog is.
  const [text, setText] = useState<string | null>(null)
  const mint = useMutation({
    mutationFn: async (name: string) => {
      const { api_key: minted } = await dataOf(api.POST('/v1/keys', { body: { workspace_id: workspaceId, name } }))
      setText(minted)
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys', workspaceId] }),
    gcTime: 0,
  })
  if (text !== null) return <MintedKey text={text} onClose={onClose} />
  return (
    <Dialog title="New key" isOpen onClose={onClose}>
      <EntryForm
        submit={{ label: 'Make the key', sending: 'Making…' }}
        error={mint.error}
        isSending={mint.isPending}
        onSend={(form) => mint.mutate(readText(form, 'name'))}
      >
        {(faultOf) => (
          <TextField
            name="name"
            label="Name"
            hint="Who uses it, such as “support agent, production”"
            required
            maxLength={100}
            autoComplete="off"
            autoFocus
            fault={faultOf('name')}
          />
        )}
      </EntryForm>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </Dialog>
  )
}

/** A click outside or Escape would lose the key for ever: only the button closes it. */
function MintedKey({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Store this key now" isOpen isDismissable={false} onClose={onClose}>
      <p>This is the only time that it is shown. The service keeps a hash of it and cannot show it again.</p>
      <CopyLine text={text} label="The key" />
      <p className={styles.lead}>For an OpenTelemetry exporter:</p>
      <CopyLine text={showEnvironment({ baseUrl: location.origin, key: text })} label="Environment of the exporter" />
      <Button variant="primary" onClick={onClose}>
        I stored it
      </Button>
    </Dialog>
  )
}
