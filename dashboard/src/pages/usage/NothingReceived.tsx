// The empty state of a month without spans: it explains why, and offers one action.
import { LastSeen } from '../../list/LastSeen.tsx'
import { NothingStored } from '../../list/NothingStored.tsx'
import { Empty, Link } from '../../ui/index.ts'
import { namePeriod, readPeriod } from './period.ts'

type Props = { readonly workspaceId: string; readonly period: string }

export const NothingReceived = ({ workspaceId, period }: Props) => (
  <LastSeen workspaceId={workspaceId}>{(newest) => <Reason newest={newest} period={period} />}</LastSeen>
)

function Reason({ newest, period }: { readonly newest: string | null; readonly period: string }) {
  if (newest === null) return <NothingStored />
  const newestPeriod = readPeriod(Date.parse(newest))
  // A span can start in the month before the one in which it is received.
  if (newestPeriod === period)
    return (
      <Empty action={<Link to="/w/$workspace_id/start">Send a trace</Link>}>
        No span was received in {namePeriod(period)}.
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
