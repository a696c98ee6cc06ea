// The transcript of a trace: messages and tool calls in order, those of sub-agents indented. Entries load when they become visible.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { Empty, Link } from '../../ui/index.ts'
import { listTranscript } from '../transcript.ts'
import type { TraceState } from '../use-trace-state.ts'
import { Entry } from './Entry.tsx'
import styles from './transcript.module.css'

const usualPx = 120

type Props = {
  readonly state: TraceState
  readonly workspaceId: string
  readonly previousCalls: Int32Array
  readonly onSelect: (node: number) => void
  readonly onToggle: (node: number, isDeep: boolean) => void
}

export function TranscriptView({ state, workspaceId, previousCalls, onSelect, onToggle }: Props) {
  const { model, active } = state
  const { tree, folded } = model
  const { nodes, levels } = useMemo(() => listTranscript(tree, folded), [tree, folded])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualPx,
    overscan: 3,
    getItemKey: (index) => nodes[index] as number,
  })
  const activeAt = nodes.indexOf(active)
  useEffect(() => {
    if (activeAt >= 0) virtual.scrollToIndex(activeAt, { align: 'auto' })
  }, [activeAt, virtual])
  if (nodes.length === 0)
    return (
      <Empty action={<Link to="/w/$workspace_id/traces/$trace_id">Show its spans</Link>}>
        This trace contains no call of a model, a tool or an agent.
      </Empty>
    )
  return (
    <div className={styles.scroller} data-trace-grid ref={scroller} tabIndex={0}>
      <ol aria-label="Transcript" className={styles.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const node = nodes[index] as number
          return (
            <li
              aria-posinset={index + 1}
              aria-setsize={nodes.length}
              data-index={index}
              key={key}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)`, paddingLeft: Math.min(levels[index] ?? 0, 8) * 24 }}
            >
              <Entry
                isFolded={folded[node] === 1}
                isSelected={node === active}
                level={levels[index] ?? 0}
                node={node}
                onSelect={onSelect}
                onToggle={onToggle}
                previousCall={previousCalls[node] ?? -1}
                tree={tree}
                workspaceId={workspaceId}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
