import { usePageWindow } from '../../app/page-window.tsx'
import { formatAge } from '../../format/index.ts'
import { NothingStored } from '../../list/NothingStored.tsx'
import { Button, Empty, Link } from '../../ui/index.ts'
import { isBefore } from './facts.ts'

const hourMs = 3_600_000

/** Explains why there are no figures, and offers one action. */
export function NoData({ newestMs, isFiltered }: { readonly newestMs: number | null; readonly isFiltered: boolean }) {
  const { window, setWindow } = usePageWindow()
  if (newestMs === null) {
    return <NothingStored />
  }
  if (isFiltered) {
    return (
      <Empty
        action={
          <Link to="/w/$workspace_id" search={{ agent_id: null }}>
            Show all agents
          </Link>
        }
      >
        This agent did nothing in this window.
      </Empty>
    )
  }
  if (!isBefore(newestMs, window)) {
    return (
      <Empty action={<Button onClick={() => setWindow('7d')}>Show the last 7 days</Button>}>
        Nothing happened in this window.
      </Empty>
    )
  }
  const newest = { from: new Date(newestMs - hourMs).toISOString(), to: new Date(newestMs + 1_000).toISOString() }
  return (
    <Empty action={<Button onClick={() => setWindow(newest)}>Show the newest hour</Button>}>
      Nothing happened in this window. The newest data is {formatAge(newestMs, Date.now())} old.
    </Empty>
  )
}
