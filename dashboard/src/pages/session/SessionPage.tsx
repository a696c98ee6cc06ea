// The page of one session: its totals, and its traces as a table or as a transcript.
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { isNotFound } from '../../api/fault.ts'
import { formatCount, formatDuration } from '../../format/index.ts'
import { AsApi } from '../../list/AsApi.tsx'
import { LookFurther } from '../../list/LookFurther.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import {
  Button,
  CopyButton,
  ErrorNote,
  Link,
  Money,
  NotFound,
  Page,
  Skeleton,
  Tile,
  Tokens,
  useSkeleton,
} from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { SessionTable } from './SessionTable.tsx'
import { SessionTranscript } from './SessionTranscript.tsx'
import styles from './session.module.css'
import { listSession, type Totals } from './totals.ts'
import { useSessionTraces } from './use-session-traces.ts'

const route = getRouteApi('/w/$workspace_id/sessions/$session_id')

export function SessionPage() {
  const { workspace_id: workspaceId, session_id: sessionId } = route.useParams()
  const { query, rows, window, isWhole } = useSessionTraces(workspaceId, sessionId)
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch({ isStep: false })
  const phase = useSkeleton(query.isPending)
  const isTranscript = search.view === 'transcript'
  const total = rows.at(-1)?.total
  if ((isWhole && rows.length === 0) || (isNotFound(query.error) && query.data === undefined)) return <NotFound />
  return (
    <Page
      actions={<AsApi path="traces" query={{ ...window, session_id: sessionId }} workspaceId={workspaceId} />}
      tabTitle={`Session ${sessionId}`}
      title="Session"
    >
      <p className={styles.id}>
        <code>{sessionId}</code> <CopyButton label="Copy the session id" text={sessionId} />
      </p>
      {query.error === null ? null : <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {phase === 'skeleton' ? <Skeleton height={400} /> : null}
      {phase === 'content' && query.data !== undefined && total === undefined ? (
        <LookFurther isLooking={query.isFetchingNextPage} onLook={() => void query.fetchNextPage()}>
          None of the traces that were looked at so far is of this session.
        </LookFurther>
      ) : null}
      {phase !== 'content' || total === undefined ? null : (
        <>
          <Summary total={total} />
          {isWhole ? null : (
            <p role="status">
              The newest {formatCount(rows.length)} traces are shown; the totals count these alone.{' '}
              <Button onClick={() => void query.fetchNextPage()}>
                {query.isFetchingNextPage ? 'Loading earlier ones' : 'Load earlier ones'}
              </Button>
            </p>
          )}
          <div className={styles.views}>
            <span className={styles.choice} role="group" aria-label="View">
              <Button aria-pressed={!isTranscript} onClick={() => change({ view: null })}>
                Traces
              </Button>
              <Button aria-pressed={isTranscript} onClick={() => change({ view: 'transcript' })}>
                Transcript
              </Button>
            </span>
            <Link search={listSession(sessionId, rows)} to="/w/$workspace_id/traces">
              In the list of traces
            </Link>
          </div>
          {isTranscript ? <SessionTranscript rows={rows} workspaceId={workspaceId} /> : <SessionTable rows={rows} />}
        </>
      )}
    </Page>
  )
}

function Summary({ total }: { readonly total: Totals }) {
  return (
    <dl className={styles.tiles}>
      <Tile label="Traces" value={formatCount(total.traces)} change={total.failed > 0 && `${total.failed} failed`} />
      <Tile label="From first to last" value={formatDuration(total.lastedMs)} />
      <Tile label="LLM calls" value={formatCount(total.llmCalls)} />
      <Tile
        label="Tool calls"
        value={formatCount(total.toolCalls)}
        change={total.servedCalls > 0 && `${formatCount(total.servedCalls)} served`}
      />
      <Tile label="Tokens" value={<Tokens tokens={total.tokens} />} />
      <Tile label="Cost" value={<Money unpricedCalls={total.unpricedCalls} usd={total.costUsd} />} />
    </dl>
  )
}
