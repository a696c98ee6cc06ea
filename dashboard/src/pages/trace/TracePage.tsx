// The page of one trace: what happened, and what took time and money.
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isNotFound } from '../../api/fault.ts'
import { formatCount } from '../../format/index.ts'
import { TraceHeader } from '../../trace/TraceHeader.tsx'
import { TraceView } from '../../trace/TraceView.tsx'
import styles from '../../trace/trace.module.css'
import { useSpans } from '../../trace/use-spans.ts'
import { findNode } from '../../trace/use-trace-state.ts'
import { Button, Empty, ErrorNote, Link, NotFound, Page, Skeleton, useSkeleton } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { Neighbours } from './Neighbours.tsx'
import { TraceCopies } from './TraceCopies.tsx'

const route = getRouteApi('/w/$workspace_id/traces/$trace_id')

export function TracePage() {
  const { workspace_id: workspaceId, trace_id: traceId } = route.useParams()
  const { query, tree, trace } = useSpans({ workspaceId, traceId })
  const { span: spanId }: Search = useSearch({ strict: false })
  const isAbsent = tree !== null && spanId !== undefined && findNode(tree, spanId) === -1
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  // A link can lead to a span that is not in the first response.
  const isSought = isAbsent && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isSought && !isFetchingNextPage) void fetchNextPage()
  }, [isSought, isFetchingNextPage, fetchNextPage])
  const phase = useSkeleton(query.isPending)
  if (isNotFound(query.error) && query.data === undefined) return <NotFound />
  return (
    <Page
      actions={
        <>
          <TraceCopies traceId={traceId} workspaceId={workspaceId} />
          <Neighbours traceId={traceId} />
        </>
      }
      title={trace?.name ?? 'Trace'}
    >
      {query.error === null ? null : <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {phase === 'skeleton' ? <Skeleton height={480} /> : null}
      {phase !== 'content' || tree === null || trace === null ? null : (
        <div className={styles.page}>
          <TraceHeader trace={trace} />
          {query.hasNextPage ? (
            <p className={styles.more} role="status">
              {formatCount(tree.spans.length)} of {formatCount(trace.span_count)} spans are shown. Parents and sums can
              be incomplete.
              <Button onClick={() => void query.fetchNextPage()}>
                {query.isFetchingNextPage ? 'Loading more' : 'Load more'}
              </Button>
            </p>
          ) : null}
          {isAbsent && !hasNextPage && tree.size > 0 ? <p role="status">This trace has no span {spanId}.</p> : null}
          {tree.size === 0 ? (
            <Empty action={<Link to="/w/$workspace_id/traces">Show the remaining traces</Link>}>
              The spans of this trace are gone: their retention has ended.
            </Empty>
          ) : (
            <TraceView key={traceId} tree={tree} workspaceId={workspaceId} />
          )}
        </div>
      )}
    </Page>
  )
}
