// The page of the members of an organization and their roles.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Org } from '../../api/client.ts'
import { membersQuery, mostMembers } from '../../settings/org-queries.ts'
import styles from '../../settings/settings.module.css'
import { Badge, Button, type Column, Panel, Table, Time } from '../../ui/index.ts'
import { countOwners, type Member, whyNotChangeRole, whyNotRemove, whyNotResetLink } from './member-rights.ts'
import { OrgPage } from './OrgPage.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { ResetLinkDialog } from './ResetLinkDialog.tsx'
import { RoleDialog } from './RoleDialog.tsx'

export const MembersPage = () => (
  <OrgPage title="Members">{(org, userId) => <Members org={org} userId={userId} />}</OrgPage>
)

const dialogs = { role: RoleDialog, reset: ResetLinkDialog, remove: RemoveDialog } as const
type Asked = { readonly kind: keyof typeof dialogs; readonly member: Member }

function Members({ org, userId }: { readonly org: Org; readonly userId: string }) {
  const members = useQuery(membersQuery(org.id))
  const [asked, setAsked] = useState<Asked | null>(null)
  const Asking = asked === null ? null : dialogs[asked.kind]
  return (
    <>
      <Panel title="Members" isTitled={false} query={members} height={72}>
        {(rows) => (
          <>
            <MemberTable org={org} userId={userId} members={rows} onAsk={setAsked} />
            {rows.length === mostMembers && (
              <p className={styles.lead}>The {mostMembers} who joined first are shown; the interface lists all.</p>
            )}
          </>
        )}
      </Panel>
      {asked !== null && Asking !== null && (
        <Asking org={org} userId={userId} member={asked.member} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

type TableProps = {
  readonly org: Org
  readonly userId: string
  readonly members: readonly Member[]
  readonly onAsk: (asked: Asked) => void
}

function MemberTable({ org, userId, members, onAsk }: TableProps) {
  const owners = countOwners(members, mostMembers)
  const columns: readonly Column<Member>[] = [
    {
      key: 'email',
      header: 'E-mail',
      cell: ({ email, user_id: id }) => (
        <>
          {email} {id === userId && <Badge>you</Badge>}
        </>
      ),
    },
    { key: 'name', header: 'Name', cell: ({ name }) => name ?? '—' },
    { key: 'role', header: 'Role', cell: ({ role }) => role },
    { key: 'since', header: 'Since', cell: ({ created_at: time }) => <Time time={time} precision="day" /> },
    {
      key: 'actions',
      header: <span className="visually-hidden">Change</span>,
      isNumber: true,
      cell: (member) => {
        const one = { org, userId, member, owners }
        const isOwn = member.user_id === userId
        return (
          <span className={styles.buttons}>
            <Button
              unavailable={whyNotChangeRole(one)}
              aria-label={`Change the role of ${member.email}`}
              onClick={() => onAsk({ kind: 'role', member })}
            >
              Role
            </Button>
            <Button
              unavailable={whyNotResetLink(one)}
              aria-label={`Make a reset link for ${member.email}`}
              onClick={() => onAsk({ kind: 'reset', member })}
            >
              Reset link
            </Button>
            <Button
              variant="danger"
              unavailable={whyNotRemove(one)}
              aria-label={isOwn ? 'Leave the organization' : `Remove ${member.email}`}
              onClick={() => onAsk({ kind: 'remove', member })}
            >
              {isOwn ? 'Leave' : 'Remove'}
            </Button>
          </span>
        )
      },
    },
  ]
  return <Table label="Members" columns={columns} rows={members} rowKey={({ user_id: id }) => id} />
}
