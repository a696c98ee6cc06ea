import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import { ApiFault, faultOfField } from '../../api/fault.ts'
import { readText } from '../../app/form-text.ts'
import { useMissingRole } from '../../app/use-role.ts'
import { Button, CopyLine, ErrorNote, TextField } from '../../ui/index.ts'
import { keysQuery } from '../keys/queries.ts'
import styles from './start.module.css'

/** Focuses the key, since the pressed button no longer exists. */
const focus = (element: HTMLElement | null): void => element?.focus()

export function MintKey({
  workspaceId,
  apiKey,
  onMinted,
}: {
  readonly workspaceId: string
  readonly apiKey: string | null
  readonly onMinted: (key: string) => void
}) {
  const queries = useQueryClient()
  const missingRole = useMissingRole(workspaceId, 'admin')
  const { data } = useInfiniteQuery(keysQuery(workspaceId))
  const mint = useMutation({
    mutationFn: (name: string) => dataOf(api.POST('/v1/keys', { body: { workspace_id: workspaceId, name } })),
    // The response contains the key, so it must not stay in the cache: only this page keeps the key.
    gcTime: 0,
    onSuccess: async ({ api_key: key }) => {
      onMinted(key)
      mint.reset()
      await queries.invalidateQueries({ queryKey: ['keys', workspaceId] })
    },
  })
  if (apiKey !== null) {
    return (
      <>
        <div ref={focus} tabIndex={-1}>
          <CopyLine text={apiKey} label="API key" />
        </div>
        <p>
          <strong>This key is shown once.</strong> Store it now: after you leave this page, the key cannot be shown
          again, and you need a new one.
        </p>
      </>
    )
  }
  const fault = mint.error instanceof ApiFault ? mint.error : null
  const nameFault = faultOfField(fault, 'name')
  const live = (data?.pages.flat() ?? []).filter(({ revoked_at: revokedAt }) => revokedAt === null).length
  return (
    <>
      <p className={styles.keys}>
        Agents send traces with an API key of the workspace.
        {live > 0 &&
          ` This workspace has ${live === 1 ? 'one' : live} already, and you can use ${live === 1 ? 'it' : 'any of them'}.`}
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!mint.isPending && missingRole === undefined)
            mint.mutate(readText(new FormData(event.currentTarget), 'name'))
        }}
      >
        <TextField
          label="Name of the key"
          name="name"
          defaultValue="my agents"
          required
          maxLength={100}
          fault={nameFault}
        />
        <Button type="submit" variant="primary" unavailable={mint.isPending ? 'Creating…' : missingRole}>
          {mint.isPending ? 'Creating…' : 'Create key'}
        </Button>
      </form>
      {mint.error !== null && nameFault === null && <ErrorNote error={mint.error} />}
    </>
  )
}
