// The conversation of a session as text, trace after trace. Each trace, and each of its entries, loads when it is scrolled into view.
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatCount } from '../../format/index.ts'
import { setFolded, unfoldAll } from '../../trace/fold.ts'
import { Entry } from '../../trace/transcript/Entry.tsx'
import { linkPreviousCalls, listTranscript } from '../../trace/transcript.ts'
import { type SpanTree, useSpans } from '../../trace/use-spans.ts'
import { urlIdOf } from '../../trace/use-trace-state.ts'
import { ErrorNote, Link, Skeleton, Time } from '../../ui/index.ts'
import type { SessionRow } from './SessionTable.tsx'
import styles from './session.module.css'
import { WhenSeen } from './WhenSeen.tsx'

/** The most entries of a trace that are shown here. A longer trace is read on its own page. */
const maxEntries = 200
const usualPx = 96

type Props = { readonly rows: readonly SessionRow[]; readonly workspaceId: string }

export function SessionTranscript({ rows, workspaceId }: Props) {
  return (
    <ol aria-label="Transcript" className={styles.transcript}>
      {rows.map(({ trace }) => (
        <li key={trace.trace_id}>
          <h2 className={styles.heading}>
            <Link
              params={{ trace_id: trace.trace_id }}
              search={{ view: 'transcript' }}
              to="/w/$workspace_id/traces/$trace_id"
            >
              {trace.name}
            </Link>
            <span className={styles.when}>
              {trace.agent_name} · <Time time={trace.start_time} />
            </span>
          </h2>
          <WhenSeen height={usualPx * 2}>
            <TraceEntries traceId={trace.trace_id} workspaceId={workspaceId} />
          </WhenSeen>
        </li>
      ))}
    </ol>
  )
}

type TraceProps = { readonly traceId: string; readonly workspaceId: string }

function TraceEntries({ traceId, workspaceId }: TraceProps) {
  const { query, tree } = useSpans({ workspaceId, traceId })
  if (query.error !== null) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
  if (tree === null) return <Skeleton height={usualPx * 2} />
  return <Entries traceId={traceId} tree={tree} workspaceId={workspaceId} />
}

function Entries({ tree, traceId, workspaceId }: TraceProps & { readonly tree: SpanTree }) {
  const navigate = useNavigate()
  const [folds, setFolds] = useState(() => ({ tree, folded: unfoldAll(tree) }))
  // A trace that has grown has other node numbers.
  const folded = folds.tree === tree ? folds.folded : unfoldAll(tree)
  const { nodes, levels } = useMemo(() => listTranscript(tree, folded), [tree, folded])
  const previousCalls = useMemo(() => linkPreviousCalls(tree), [tree])
  const open = (node: number): void =>
    void navigate({
      to: '/w/$workspace_id/traces/$trace_id',
      params: { workspace_id: workspaceId, trace_id: traceId },
      search: { span: urlIdOf(tree, node) },
    })
  const shown = [...nodes.subarray(0, maxEntries)]
  return (
    <>
      {nodes.length === 0 ? (
        <p className={styles.when}>This trace contains no call of a model, a tool or an agent.</p>
      ) : null}
      {shown.map((node, at) => (
        <div key={node} style={{ paddingLeft: Math.min(levels[at] ?? 0, 8) * 24 }}>
          <WhenSeen height={usualPx}>
            <Entry
              isFolded={folded[node] === 1}
              isSelected={false}
              level={levels[at] ?? 0}
              node={node}
              onSelect={open}
              onToggle={(toggled) => setFolds({ tree, folded: setFolded(folded, toggled, folded[toggled] !== 1) })}
              previousCall={previousCalls[node] ?? -1}
              tree={tree}
              workspaceId={workspaceId}
            />
          </WhenSeen>
        </div>
      ))}
      {nodes.length > maxEntries ? (
        <p className={styles.when}>{formatCount(nodes.length - maxEntries)} more entries are in the trace itself.</p>
      ) : null}
    </>
  )
}
