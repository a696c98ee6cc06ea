// Why the list is empty, and the one thing to do about it.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatAge } from '../../format/index.ts'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, Empty, Link } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { activeFilters, filterNames } from './list-search.ts'

const hourMs = 3_600_000

export function NoTraces({ workspaceId }: { readonly workspaceId: string }) {
  const search: Search = useSearch({ strict: false })
  const { window, setWindow } = usePageWindow()
  const change = useChangeSearch({ isStep: true })
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
  if (agents === undefined) return null
  const newest = agents[0]?.last_seen
  if (newest === undefined)
    return (
      <Empty action={<Link to="/w/$workspace_id/start">Send the first trace</Link>}>
        No trace has ever been stored in this workspace.
      </Empty>
    )
  const newestMs = Date.parse(newest)
  if (newestMs < Date.parse(window.from)) {
    const show = (): void =>
      setWindow({ from: new Date(newestMs - hourMs).toISOString(), to: new Date(newestMs + 1_000).toISOString() })
    return (
      <Empty action={<Button onClick={show}>Show the newest</Button>}>
        No trace starts in this window. The newest data is {formatAge(newestMs, Date.now())} old.
      </Empty>
    )
  }
  if (activeFilters(search).length > 0)
    return (
      <Empty
        action={
          <Button onClick={() => change(Object.fromEntries(filterNames.map((name) => [name, null])))}>
            Clear filters
          </Button>
        }
      >
        No trace of this window matches the filters.
      </Empty>
    )
  return (
    <Empty action={<Button onClick={() => setWindow('7d')}>Show the last 7 days</Button>}>
      No trace starts in this window.
    </Empty>
  )
}
