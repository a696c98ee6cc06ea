// The sessions of the account, with buttons that end them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas, signOut } from '../../api/client.ts'
import styles from '../../settings/settings.module.css'
import { Badge, Button, type Column, ErrorNote, Panel, Table, Time } from '../../ui/index.ts'
import { nameBrowser } from './name-browser.ts'

type Session = Schemas['Session']

export function SessionsSection() {
  const queries = useQueryClient()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => dataOf(api.GET('/v1/auth/sessions', { signal })),
  })
  const renew = () => queries.invalidateQueries({ queryKey: ['sessions'] })
  const end = useMutation({
    mutationFn: ({ id, current }: Session) =>
      current
        ? signOut()
        : dataOf(api.DELETE('/v1/auth/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: renew,
  })
  const endOthers = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/auth/sessions')),
    onSuccess: renew,
  })
  const hasOthers = sessions.data?.some(({ current }) => !current) === true
  const error = end.error ?? endOthers.error
  return (
    <>
      <Panel
        title="Sessions"
        query={sessions}
        height={120}
        actions={
          <Button unavailable={hasOthers ? undefined : 'You have no other sessions'} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        }
      >
        {(rows) => <Table label="Sessions" columns={columnsOf(end.mutate)} rows={rows} rowKey={({ id }) => id} />}
      </Panel>
      {error !== null && <ErrorNote error={error} />}
      <p className={styles.lead}>
        The service stores only the first part of an IP address. An ended session is refused within a second.
      </p>
    </>
  )
}

const columnsOf = (onEnd: (session: Session) => void): readonly Column<Session>[] => [
  {
    key: 'program',
    header: 'Signed in with',
    cell: ({ user_agent: userAgent, current }) => (
      <span title={userAgent ?? undefined}>
        {nameBrowser(userAgent)} {current && <Badge tone="good">this session</Badge>}
      </span>
    ),
  },
  { key: 'ip', header: 'From', cell: ({ ip_prefix: prefix }) => prefix ?? '—' },
  { key: 'since', header: 'Since', cell: ({ created_at: time }) => <Time time={time} isRelative precision="min" /> },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ last_used_at: time, current }) =>
      // The time of its last renewal: a session that shows this page is in use.
      current ? 'now' : <Time time={time} isRelative precision="min" />,
  },
  {
    key: 'end',
    header: <span className="visually-hidden">End</span>,
    isNumber: true,
    cell: (session) => (
      <Button
        variant="danger"
        aria-label={session.current ? 'Sign out here' : `End the session of ${nameBrowser(session.user_agent)}`}
        onClick={() => onEnd(session)}
      >
        {session.current ? 'Sign out' : 'End'}
      </Button>
    ),
  },
]
