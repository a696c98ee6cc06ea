// The panel of one trace next to the list, with its figures and its tree.
import { X } from 'lucide-react'
import { useCallback } from 'react'
import { toggleFolded } from '../../trace/fold.ts'
import { TraceHeader } from '../../trace/TraceHeader.tsx'
import { type SpanTree, useSpans } from '../../trace/use-spans.ts'
import { useTraceState } from '../../trace/use-trace-state.ts'
import { Waterfall } from '../../trace/waterfall/Waterfall.tsx'
import { Button, ErrorNote, Link, Skeleton } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { listSearch } from './list-search.ts'
import styles from './traces.module.css'

type Props = {
  readonly workspaceId: string
  readonly traceId: string
  readonly search: Search
  readonly onClose: () => void
}

export function TracePeek({ workspaceId, traceId, search, onClose }: Props) {
  const { query, tree, trace } = useSpans({ workspaceId, traceId })
  return (
    <aside aria-label="Preview" className={styles.peek}>
      <header className={styles.peekHead}>
        <h2>{trace?.name ?? 'Trace'}</h2>
        <Link params={{ trace_id: traceId }} search={listSearch(search)} to="/w/$workspace_id/traces/$trace_id">
          Open
        </Link>
        <Button aria-label="Close the preview" onClick={onClose} title="Close (Esc)" variant="quiet">
          <X aria-hidden size={16} />
        </Button>
      </header>
      {query.error === null ? null : <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {trace === null || tree === null ? (
        query.isPending ? (
          <Skeleton height={320} />
        ) : null
      ) : (
        <>
          <TraceHeader trace={trace} />
          <PeekTree tree={tree} />
        </>
      )}
    </aside>
  )
}

const ignoreHover = (): void => undefined

function PeekTree({ tree }: { readonly tree: SpanTree }) {
  const state = useTraceState(tree, null, '')
  const { folded } = state.model
  const toggle = useCallback(
    (node: number, isDeep: boolean) => state.setFolded(toggleFolded(tree, folded, node, isDeep)),
    [tree, folded, state.setFolded],
  )
  return (
    <Waterfall
      activeRow={state.activeRow}
      model={state.model}
      onHover={ignoreHover}
      onSelect={state.goTo}
      onToggle={toggle}
      rows={state.rows}
    />
  )
}
