// Why a list is empty, and the one thing to do about it.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { usePageWindow } from '../app/page-window.tsx'
import { formatAge } from '../format/index.ts'
import { useChangeSearch } from '../trace/use-change-search.ts'
import { Button, Empty, Link } from '../ui/index.ts'
import { clearedOf } from './Filters.tsx'

const hourMs = 3_600_000

type Props = {
  readonly workspaceId: string
  /** What the list holds, in the singular: "trace". */
  readonly noun: string
  /** What "Clear filters" takes away. */
  readonly filterNames: readonly string[]
  readonly isFiltered: boolean
}

/** When the workspace received its newest span; undefined while that is not known, null where it never did. */
export function useLastSeen(workspaceId: string): string | null | undefined {
  const { data: agents } = useQuery({
    queryKey: ['newest-agent', workspaceId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/agents', {
          params: { path: { workspace_id: workspaceId }, query: { limit: 1 } },
          signal,
        }),
      ),
  })
  return agents === undefined ? undefined : (agents[0]?.last_seen ?? null)
}

export function NoRows({ workspaceId, noun, filterNames, isFiltered }: Props) {
  const { window, setWindow } = usePageWindow()
  const change = useChangeSearch({ isStep: true })
  const newest = useLastSeen(workspaceId)
  if (newest === undefined) return null
  if (newest === null)
    return (
      <Empty action={<Link to="/w/$workspace_id/start">Send the first trace</Link>}>
        No {noun} has ever been stored in this workspace.
      </Empty>
    )
  const newestMs = Date.parse(newest)
  // A window that lies before the newest data may hold what the filters take away.
  const isPast = window.preset === null && newestMs >= Date.parse(window.to) && !isFiltered
  if (newestMs < Date.parse(window.from) || isPast) {
    const show = (): void =>
      setWindow({ from: new Date(newestMs - hourMs).toISOString(), to: new Date(newestMs + 1_000).toISOString() })
    return (
      <Empty action={<Button onClick={show}>Show the newest</Button>}>
        No {noun} starts in this window. The newest data is {formatAge(newestMs, Date.now())} old.
      </Empty>
    )
  }
  if (isFiltered)
    return (
      <Empty action={<Button onClick={() => change(clearedOf(filterNames))}>Clear filters</Button>}>
        No {noun} of this window matches the filters.
      </Empty>
    )
  return (
    <Empty action={<Button onClick={() => setWindow('7d')}>Show the last 7 days</Button>}>
      No {noun} starts in this window.
    </Empty>
  )
}
