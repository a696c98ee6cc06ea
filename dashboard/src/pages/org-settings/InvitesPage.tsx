// The page of invites to an organization: the form for a new one, and the list of open ones.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Org, type Schemas } from '../../api/client.ts'
import { InviteForm } from '../../app/InviteForm.tsx'
import { NotAllowed } from '../../app/NotAllowed.tsx'
import { explainMissing } from '../../app/roles.ts'
import { ConfirmDialog } from '../../settings/ConfirmDialog.tsx'
import { invitesQuery, membersQuery } from '../../settings/org-queries.ts'
import styles from '../../settings/settings.module.css'
import { Button, type Column, Empty, Panel, Table, Time } from '../../ui/index.ts'
import { OrgPage } from './OrgPage.tsx'

type Invite = Schemas['OpenInvite']

export const InvitesPage = () => (
  <OrgPage title="Invites">
    {(org) => {
      const missingRole = explainMissing(org.role, 'admin')
      return (
        <>
          <section className={styles.form} aria-labelledby="new-invite">
            <h2 id="new-invite">Invite a colleague</h2>
            <p className={styles.lead}>The service sends no mail: you get a link, which you pass on.</p>
            <InviteForm org={org} />
          </section>
          {missingRole === undefined ? (
            <OpenInvites org={org} />
          ) : (
            <NotAllowed reason={missingRole} orgId={org.id}>
              Open invites hold the addresses of people who are no members yet.
            </NotAllowed>
          )}
        </>
      )
    }}
  </OrgPage>
)

function OpenInvites({ org }: { readonly org: Org }) {
  const invites = useQuery(invitesQuery(org.id))
  const { data: members = [] } = useQuery(membersQuery(org.id))
  const [withdrawn, setWithdrawn] = useState<Invite | null>(null)
  const columns: readonly Column<Invite>[] = [
    { key: 'email', header: 'E-mail', cell: ({ email }) => email },
    { key: 'role', header: 'Role', cell: ({ role }) => role },
    {
      key: 'by',
      header: 'Invited by',
      cell: ({ invited_by: by }) => members.find(({ user_id: id }) => id === by)?.email ?? '—',
    },
    { key: 'until', header: 'Valid until', cell: ({ expires_at: time }) => <Time time={time} precision="min" /> },
    {
      key: 'actions',
      header: <span className="visually-hidden">Withdraw</span>,
      isNumber: true,
      cell: (one) => (
        <Button
          variant="danger"
          unavailable={one.role === 'owner' ? explainMissing(org.role, 'owner') : undefined}
          aria-label={`Withdraw the invite to ${one.email}`}
          onClick={() => setWithdrawn(one)}
        >
          Withdraw
        </Button>
      ),
    },
  ]
  return (
    <>
      <Panel
        title="Open invites"
        query={invites}
        height={120}
        empty={(rows) => (rows.length === 0 ? <Empty>No invite is open.</Empty> : null)}
      >
        {(rows) => <Table label="Open invites" columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </Panel>
      {withdrawn !== null && <WithdrawDialog org={org} invite={withdrawn} onClose={() => setWithdrawn(null)} />}
    </>
  )
}

type DialogProps = { readonly org: Org; readonly invite: Invite; readonly onClose: () => void }

function WithdrawDialog({ org, invite, onClose }: DialogProps) {
  const queries = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/v1/orgs/{org_id}/invites/{invite_id}', {
          params: { path: { org_id: org.id, invite_id: invite.id } },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['invites', org.id] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Withdraw the invite to ${invite.email}?`}
      action="Withdraw the invite"
      refusal="Keep it"
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate()}
      onClose={onClose}
    >
      Its link stops working at once.
    </ConfirmDialog>
  )
}
