// Links to the previous and next trace of the list from which this trace was opened. The URL contains the
// filters and the order of the list.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { Button } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { listSearch } from '../traces/list-search.ts'
import { useTraceList } from '../traces/use-trace-list.ts'

export function Neighbours({ traceId }: { readonly traceId: string }) {
  const { workspace_id: workspaceId } = useParams({ from: '/w/$workspace_id/traces/$trace_id' })
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { items, loadMore } = useTraceList(workspaceId)
  const at = items.findIndex(({ trace_id }) => trace_id === traceId)
  const go = async (by: -1 | 1): Promise<void> => {
    if (at === -1) return
    const grown = at + by < items.length ? items : await loadMore()
    const target = grown[at + by]
    if (target === undefined) return
    await navigate({
      to: '/w/$workspace_id/traces/$trace_id',
      params: { workspace_id: workspaceId, trace_id: target.trace_id },
      search: listSearch(search),
    })
  }
  useShortcut('J', 'Next trace of the list', () => void go(1))
  useShortcut('K', 'Previous trace of the list', () => void go(-1))
  if (at === -1) return null
  return (
    <>
      <Button
        onClick={() => void go(-1)}
        title="Previous trace (K)"
        unavailable={at === 0 ? 'This is the first trace of the list' : undefined}
      >
        Previous
      </Button>
      <Button onClick={() => void go(1)} title="Next trace (J)">
        Next
      </Button>
    </>
  )
}
