import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'
import { type Column, Empty, Link, Panel, Severity, Table, Time } from '../../ui/index.ts'
import { MonthlyCost } from '../findings/MonthlyCost.tsx'
import { TimesHeader } from '../findings/TimesHeader.tsx'
import { newestFindingsQuery } from './queries.ts'

type Finding = Schemas['Finding']

const height = 220

const columns: readonly Column<Finding>[] = [
  {
    key: 'title',
    header: 'Finding',
    isSentence: true,
    cell: ({ id, title, detail }) => (
      <Link to="/w/$workspace_id/findings" search={{ finding: id }} title={detail}>
        {title}
      </Link>
    ),
  },
  { key: 'severity', header: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
  { key: 'count', header: <TimesHeader />, isNumber: true, cell: ({ occurrences }) => formatCount(occurrences) },
  { key: 'cost', header: '$ a month', isNumber: true, cell: (finding) => <MonthlyCost finding={finding} /> },
  { key: 'seen', header: 'Last seen', cell: ({ last_seen: lastSeen }) => <Time time={lastSeen} isRelative /> },
]

export function NewestFindings({ workspaceId }: { readonly workspaceId: string }) {
  const query = useQuery(newestFindingsQuery(workspaceId))
  return (
    <Panel
      title="Newest findings"
      query={query}
      height={height}
      actions={<Link to="/w/$workspace_id/findings">All findings</Link>}
      empty={({ items }) =>
        items.length === 0 ? (
          <Empty>
            Nothing is open. Repeated calls, unread results, retry loops and missed prompt caches appear here some
            seconds after the traces that show them.
          </Empty>
        ) : null
      }
    >
      {({ items }) => <Table label="Newest findings" columns={columns} rows={items} rowKey={({ id }) => id} />}
    </Panel>
  )
}
