import { eventFilterNames } from '../../events/filters.ts'
import { formatAge } from '../../format/index.ts'
import { clearedOf } from '../../list/Filters.tsx'
import { LastSeen } from '../../list/LastSeen.tsx'
import { NothingStored } from '../../list/NothingStored.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, Empty, Link } from '../../ui/index.ts'

type Props = { readonly workspaceId: string; readonly isNarrowed: boolean }

/** The empty state of the page: the last day has no spans, or none that match the filters. */
export const Nothing = ({ workspaceId, isNarrowed }: Props) => (
  <LastSeen workspaceId={workspaceId}>{(newest) => <Reason newest={newest} isNarrowed={isNarrowed} />}</LastSeen>
)

function Reason({ newest, isNarrowed }: { readonly newest: string | null; readonly isNarrowed: boolean }) {
  const change = useChangeSearch({ isStep: true })
  if (newest === null) return <NothingStored>The first one will appear here.</NothingStored>
  if (isNarrowed)
    return (
      <Empty action={<Button onClick={() => change(clearedOf(eventFilterNames))}>Clear filters</Button>}>
        No span of the last day matches the filters. The next one that does will appear here.
      </Empty>
    )
  return (
    <Empty
      action={
        <Link search={{ range: '30d' }} to="/w/$workspace_id/events">
          Show the last 30 days
        </Link>
      }
    >
      Waiting for spans. The newest was received {formatAge(newest, Date.now())} ago.
    </Empty>
  )
}
