import { usePageWindow } from '../../app/page-window.tsx'
import { NothingStored } from '../../list/NothingStored.tsx'
import { useNewest } from '../../list/use-newest.ts'
import { Button, Empty, Link } from '../../ui/index.ts'
import { isBefore } from './facts.ts'

/** Explains why there are no figures, and offers one action. */
export function NoData({ newestMs, isFiltered }: { readonly newestMs: number | null; readonly isFiltered: boolean }) {
  const { window, setWindow } = usePageWindow()
  const newest = useNewest()
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
  return (
    <Empty action={<Button onClick={() => newest.show(newestMs)}>Show the newest hour</Button>}>
      Nothing happened in this window. {newest.describe(newestMs)}
    </Empty>
  )
}
