import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatCount } from '../../format/index.ts'
import { ErrorNote, Link, Time } from '../../ui/index.ts'
import { keysQuery } from '../keys/queries.ts'
import { readPeriod } from '../usage/period.ts'
import { rejectionsQuery } from '../usage/queries.ts'
import styles from './start.module.css'

const pollMs = 2_000
// Must exceed one week: the service accepts spans up to that age, and rejects older ones.
const reachMs = 8 * 86_400_000

/** Waits for the first span, and shows why spans were rejected. */
export function FirstSpan({ workspaceId }: { readonly workspaceId: string }) {
  const { nowMs } = usePageWindow()
  const path = { workspace_id: workspaceId }
  const newest = useQuery({
    queryKey: ['first-span', workspaceId],
    queryFn: ({ signal }) => {
      const query = { limit: 1, from_time: new Date(Date.now() - reachMs).toISOString() }
      return dataOf(api.GET('/v1/workspaces/{workspace_id}/events', { params: { path, query }, signal }))
    },
    refetchInterval: ({ state }) => (state.data?.items.length === 1 ? false : pollMs),
  })
  const span = newest.data?.items[0]
  const refused = useQuery({
    ...rejectionsQuery(workspaceId, readPeriod(nowMs)),
    refetchInterval: span === undefined ? pollMs : false,
  })
  return (
    <>
      <div role="status">
        {span !== undefined && (
          <p className={styles.arrived}>
            <strong>A span has arrived:</strong> {span.name} of {span.agent_name},{' '}
            <Time time={span.start_time} isRelative />
            <Link to="/w/$workspace_id/traces/$trace_id" params={{ trace_id: span.trace_id }}>
              Open its trace
            </Link>
          </p>
        )}
        {span === undefined && newest.error === null && (
          <p className={styles.waiting}>
            <span className={styles.pulse} aria-hidden="true" />
            Waiting for the first span…
          </p>
        )}
      </div>
      {newest.error !== null && <ErrorNote error={newest.error} onRetry={() => void newest.refetch()} />}
      {refused.data !== undefined && refused.data.length > 0 && (
        <div className={styles.refused} role="status">
          <p>
            <strong>Spans were rejected this month.</strong> Each reason, with the message of its last span:
          </p>
          <ul>
            {refused.data.map(({ reason, count, last_seen: lastSeen, example }) => (
              <li key={reason}>
                <code>{reason}</code> {count === 1 ? 'once' : `${formatCount(count)} times`}, last{' '}
                <Time time={lastSeen} isRelative />: {example}
              </li>
            ))}
          </ul>
          <p>
            <Link to="/w/$workspace_id/usage" hash="rejections">
              What each reason means, and what to change
            </Link>
          </p>
        </div>
      )}
      {span === undefined && refused.data?.length === 0 && <NoSpan workspaceId={workspaceId} />}
    </>
  )
}

/**
 * Where to look for the reason. Requests that are refused as a whole are not counted, but their key has been used: this tells a wrong body
 * from a request that does not arrive.
 */
function NoSpan({ workspaceId }: { readonly workspaceId: string }) {
  const { data } = useInfiniteQuery({ ...keysQuery(workspaceId), refetchInterval: pollMs })
  if (data === undefined) return null
  const uses = data.pages.flat().flatMap(({ last_used_at: at }) => at ?? [])
  const lastUse = uses.toSorted().at(-1)
  return lastUse === undefined ? (
    <p>
      No request with an API key of this workspace has arrived. Exporters wait for some seconds before they send spans.
      If none arrives after that, the log of your exporter says why: 401 means a wrong key, 404 a wrong path, and a
      refused connection a wrong address.
    </p>
  ) : (
    <p>
      Requests arrive: an API key was last used <Time time={lastUse} isRelative />. If they have spans, the log of your
      exporter says why none is stored: 400 means a body that is not OTLP, and 415 another protocol than OTLP over HTTP,
      such as gRPC. <Link to="/w/$workspace_id/usage">Usage</Link> counts spans that were rejected or dropped, but not
      these requests.
    </p>
  )
}
