// The empty state of the list: it explains why the list is empty, and offers one action.
import type { Schemas } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'
import { LastSeen } from '../../list/LastSeen.tsx'
import { NothingStored } from '../../list/NothingStored.tsx'
import { Button, Empty, Link } from '../../ui/index.ts'
import { isNarrowed, noFilters, type readFindingSearch } from './list-search.ts'

type Props = {
  readonly workspaceId: string
  readonly filters: ReturnType<typeof readFindingSearch>['filters']
  readonly counts: Schemas['FindingSummary'] | undefined
  readonly change: (changes: Readonly<Record<string, string | null>>) => void
}

export const NoFindings = ({ workspaceId, ...props }: Props) => (
  <LastSeen workspaceId={workspaceId}>{(newest) => <Reason {...props} newest={newest} />}</LastSeen>
)

type ReasonProps = Omit<Props, 'workspaceId'> & { readonly newest: string | null }

function Reason({ newest, filters, counts, change }: ReasonProps) {
  if (counts === undefined) return null
  if (counts.total === 0 && newest === null) {
    return <NothingStored>Findings are detected in traces.</NothingStored>
  }
  if (isNarrowed(filters)) {
    return (
      <Empty action={<Button onClick={() => change(noFilters)}>Clear filters</Button>}>
        No finding matches the filters.
      </Empty>
    )
  }
  if (counts.total === 0) {
    return (
      <Empty action={<Link to="/w/$workspace_id/traces">Look at the traces</Link>}>
        Nothing has been found yet. Repeated calls, unused results, retry loops and missed prompt caches appear here
        some seconds after the traces that show them, each with what it costs a month.
      </Empty>
    )
  }
  return (
    <Empty action={<Button onClick={() => change({ status: 'any' })}>Show all {formatCount(counts.total)}</Button>}>
      {filters.status === undefined || filters.status === 'open'
        ? 'Nothing is open: every finding is acknowledged or resolved.'
        : `No finding is ${filters.status}.`}
    </Empty>
  )
}
