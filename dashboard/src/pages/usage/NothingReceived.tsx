// The empty state of a month without spans: it explains why, and offers one action.
import { useLastSeen } from '../../list/NoRows.tsx'
import { Empty, Link } from '../../ui/index.ts'
import { namePeriod, readPeriod } from './period.ts'

type Props = { readonly workspaceId: string; readonly period: string }

export function NothingReceived({ workspaceId, period }: Props) {
  const newest = useLastSeen(workspaceId)
  if (newest === undefined) return null
  const newestPeriod = newest === null ? null : readPeriod(Date.parse(newest))
  // A span can start in the month before the one in which it is received.
  if (newestPeriod === null || newestPeriod === period)
    return (
      <Empty action={<Link to="/w/$workspace_id/start">Send the first spans</Link>}>
        No span was received in {namePeriod(period)}
        {newest === null && ', and none has ever been stored in this workspace'}.
      </Empty>
    )
  return (
    <Empty
      action={
        <Link search={{ period: newestPeriod }} to="/w/$workspace_id/usage">
          Show {namePeriod(newestPeriod)}
        </Link>
      }
    >
      No span was received in {namePeriod(period)}. The newest one is of {namePeriod(newestPeriod)}.
    </Empty>
  )
}
