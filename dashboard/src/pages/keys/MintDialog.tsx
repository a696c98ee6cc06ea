// The dialog that creates a key: it asks for the name, then shows the key. The key is shown nowhere else.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { CloseButton, CopyLine, Dialog, TextField } from '../../ui/index.ts'
import { showEnvironment } from '../start/snippets.ts'
import styles from './keys.module.css'

type Props = { readonly workspaceId: string; readonly onClose: () => void }

export function MintDialog({ workspaceId, onClose }: Props) {
  const queries = useQueryClient()
  // The key exists only in the state of this component, so it is discarded when the dialog closes.
  const [text, setText] = useState<string | null>(null)
  const mint = useMutation({
    mutationFn: async (name: string) => {
      const { api_key: minted } = await dataOf(api.POST('/v1/keys', { body: { workspace_id: workspaceId, name } }))
      setText(minted)
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys', workspaceId] }),
    gcTime: 0,
  })
  // One dialog for both steps, so that the focus returns to the element that opened it. A click outside or Escape does not close it while
  // the key is shown, since the key would be lost.
  return (
    <Dialog
      title={text === null ? 'New key' : 'Store this key now'}
      isOpen
      isDismissable={text === null}
      isBusy={mint.isPending}
      onClose={onClose}
    >
      {text === null ? (
        <>
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
          <CloseButton variant="quiet">Cancel</CloseButton>
        </>
      ) : (
        <MintedKey text={text} />
      )}
    </Dialog>
  )
}

/** Focuses the key, since the pressed button no longer exists. */
const focus = (element: HTMLElement | null): void => element?.focus()

/** Shows the new key. Only the button of this view closes the dialog. */
function MintedKey({ text }: { readonly text: string }) {
  return (
    <>
      <p>This is the only time that it is shown. The service keeps a hash of it and cannot show it again.</p>
      <div ref={focus} tabIndex={-1}>
        <CopyLine text={text} label="The key" />
      </div>
      <p className={styles.lead}>For an OpenTelemetry exporter:</p>
      <CopyLine text={showEnvironment({ baseUrl: location.origin, key: text })} label="Environment of the exporter" />
      <CloseButton variant="primary">I stored it</CloseButton>
    </>
  )
}
