// Links to the previous and next trace of the list from which this trace was opened. The URL contains the
// filters and the order of the list.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { Button } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { listSearch } from '../traces/list-search.ts'
import { type TraceSummary, useTraceList } from '../traces/use-trace-list.ts'

export function Neighbours({ traceId }: { readonly traceId: string }) {
  const { workspace_id: workspaceId } = useParams({ from: '/w/$workspace_id/traces/$trace_id' })
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { items, loadMore } = useTraceList(workspaceId)
  // The trace that the page opens now: key presses can arrive faster than the page changes.
  const coming = useRef<string | null>(null)
  const indexIn = (rows: readonly TraceSummary[]): number =>
    rows.findIndex(({ trace_id: id }) => id === (coming.current ?? traceId))
  const at = items.findIndex(({ trace_id: id }) => id === traceId)
  const go = async (by: -1 | 1): Promise<void> => {
    if (at === -1) return
    const here = indexIn(items)
    const grown = here !== -1 && here + by < items.length ? items : await loadMore()
    const target = grown[indexIn(grown) + by]
    if (target === undefined) return
    coming.current = target.trace_id
    await navigate({
      to: '/w/$workspace_id/traces/$trace_id',
      params: { workspace_id: workspaceId, trace_id: target.trace_id },
      search: listSearch(search),
    })
    if (coming.current === target.trace_id) coming.current = null
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
