// Why spans were rejected, with an example and what to change.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'
import { type Column, Link, Panel, Table, Time } from '../../ui/index.ts'
import { explainReason } from './rejection-reasons.ts'
import styles from './usage.module.css'

type Rejection = Schemas['Rejection']

const columns: readonly Column<Rejection>[] = [
  {
    key: 'reason',
    header: 'Reason',
    isSentence: true,
    cell: ({ reason }) => (
      <>
        {explainReason(reason).meaning} <code>{reason}</code>
      </>
    ),
  },
  {
    key: 'fix',
    header: 'What to change',
    cell: ({ reason }) => <span className={styles.text}>{explainReason(reason).fix}</span>,
  },
  { key: 'count', header: 'Spans', isNumber: true, cell: ({ count }) => formatCount(count) },
  { key: 'last_seen', header: 'Last seen', cell: ({ last_seen: time }) => <Time time={time} isRelative /> },
  { key: 'example', header: 'Latest example', cell: ({ example }) => <span className={styles.text}>{example}</span> },
]

export function RejectionsPanel({ rejections }: { readonly rejections: UseQueryResult<Rejection[]> }) {
  return (
    <div id="rejections">
      <Panel
        title="Rejected spans by reason"
        query={rejections}
        height={64}
        empty={(rows) => (rows.length === 0 ? <p>No span was rejected in this month.</p> : null)}
      >
        {(rows) => (
          <>
            <Table label="Rejected spans by reason" columns={columns} rows={rows} rowKey={({ reason }) => reason} />
            <p>
              <Link to="/w/$workspace_id/start">How to send traces</Link>
            </p>
          </>
        )}
      </Panel>
    </div>
  )
}
