// The panel of one span beside the tree. It shows the facts of the span at once and loads its content, so that the selection
// does not wait.

import { X } from 'lucide-react'
import {
  memo,
  type RefCallback,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { CopyButton, ErrorNote, Skeleton } from '../../ui/index.ts'
import { callMarkOf, describeMarks, nameOf } from '../describe-node.ts'
import { CallMarkIcon, KindIcon } from '../Icons.tsx'
import { isCall } from '../light-span.ts'
import { type SpanDetail, useDetail } from '../use-detail.ts'
import type { SpanTree } from '../use-spans.ts'
import { AttributesTab } from './AttributesTab.tsx'
import { EventsTab } from './EventsTab.tsx'
import { Facts } from './Facts.tsx'
import { MessagesTab } from './MessagesTab.tsx'
import styles from './panel.module.css'
import type { PanelContext } from './panel-context.ts'
import { RawTab } from './RawTab.tsx'
import { TokenBar } from './TokenBar.tsx'
import { ToolTab } from './ToolTab.tsx'

type Props = PanelContext & { readonly onClose: () => void }

export function SpanPanel({ onClose, ...context }: Props) {
  const { tree, node, workspaceId } = context
  const span = tree.spans[node]
  const name = nameOf(tree, node)
  return (
    <aside aria-label={`Span ${name}`} className={styles.panel}>
      <header className={styles.head}>
        <KindIcon kind={span?.kind ?? 'missing'} />
        <h2 className={styles.title}>{name}</h2>
        <button
          aria-label="Close the span"
          className={styles.close}
          onClick={onClose}
          title="Close (Esc)"
          type="button"
        >
          <X aria-hidden size={16} />
        </button>
      </header>
      {describeMarks(tree, node).map((said) => (
        <p className={styles.warning} key={said}>
          {said}.
        </p>
      ))}
      {span === undefined ? (
        <MissingParent {...context} />
      ) : (
        <Content {...context} eventId={span.id} key={workspaceId} />
      )}
    </aside>
  )
}

function MissingParent({ tree, node }: PanelContext) {
  const id = tree.missingIds[node - tree.spans.length] ?? ''
  return (
    <p className={styles.note}>
      Spans of this trace name <code>{id}</code> <CopyButton label="Copy the span id" text={id} /> as their parent. It
      was not received: it may still be running, was dropped by the sender, or belongs to a service that sends no
      traces.
    </p>
  )
}

const contentHeight = 240

const parts = [
  ['messages', 'Messages'],
  ['tool', 'Tool'],
  ['attributes', 'Attributes'],
  ['events', 'Events'],
  ['raw', 'Raw'],
] as const

type PartName = (typeof parts)[number][0]

function Content(context: PanelContext & { readonly eventId: string }) {
  const { tree, node, workspaceId, eventId } = context
  const span = tree.spans[node] as SpanTree['spans'][number]
  const { data, error, refetch } = useDetail(workspaceId, eventId)
  const shown = useAfterSelection(eventId, data)
  const [part, setPart] = usePart(eventId, span.kind)
  const [lastHeight, measure] = useLastHeight()
  // The panel is scrolled to the same place for each selection, as where calls are compared; a lower placeholder would move it.
  const placeholderHeight = Math.max(contentHeight, lastHeight.current)
  const callMark = callMarkOf(span)
  return (
    <>
      {callMark === null ? null : (
        <p>
          <CallMarkIcon mark={callMark} />
        </p>
      )}
      <Facts detail={data ?? null} span={span} />
      {isCall(span.kind) ? <TokenBar span={span} /> : null}
      <Tabs className={styles.tabs ?? ''} onSelectionChange={(key) => setPart(key as PartName)} selectedKey={part}>
        <TabList aria-label="Parts of the span" className={styles.tabList ?? ''}>
          {parts.map(([id, name]) => (
            <Tab className={styles.tab ?? ''} id={id} key={id}>
              {name}
            </Tab>
          ))}
        </TabList>
        {/* One panel, that of the selected tab: a panel of another tab would be inert. What was unfolded in it ends with the selection. */}
        <TabPanel id={part} key={`${eventId} ${part}`}>
          {shown !== null ? (
            <div className={styles.content} ref={measure}>
              <Part {...context} detail={shown} name={part} />
            </div>
          ) : data === undefined && error !== null ? (
            <ErrorNote error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Skeleton height={placeholderHeight} />
          ) : (
            // For a frame or two, in which a skeleton would flash.
            <div aria-busy style={{ height: placeholderHeight }} />
          )}
        </TabPanel>
      </Tabs>
    </>
  )
}

/** The shown part. Each span begins with the part that says most about it, also if another one was chosen when it was selected before. */
function usePart(eventId: string, kind: SpanDetail['kind']): readonly [PartName, (part: PartName) => void] {
  const usual: PartName = kind === 'tool' ? 'tool' : isCall(kind) ? 'messages' : 'attributes'
  const [shown, setShown] = useState<{ readonly eventId: string; readonly part: PartName }>({ eventId, part: usual })
  if (shown.eventId !== eventId) setShown({ eventId, part: usual })
  return [shown.eventId === eventId ? shown.part : usual, (part) => setShown({ eventId, part })]
}

/** The height in pixels of the content that was shown last, and the ref of the content. */
function useLastHeight(): readonly [RefObject<number>, RefCallback<HTMLElement>] {
  const last = useRef(0)
  const measure = useCallback((content: HTMLElement | null) => {
    if (content === null) return
    const observer = new ResizeObserver(() => {
      last.current = content.offsetHeight
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  return [last, measure]
}

/**
 * Returns the content of the span once the selection is on the screen, which content of a megabyte would hold up; null until then. The
 * render with the content gives way to the next selection.
 */
function useAfterSelection(eventId: string, data: SpanDetail | undefined): SpanDetail | null {
  const isPainted = useIsPainted(eventId)
  const loaded = useMemo(() => (isPainted && data !== undefined ? { eventId, data } : null), [isPainted, eventId, data])
  const latest = useDeferredValue(loaded, null)
  // Until that render, the value is of the span that was selected before.
  return latest?.eventId === eventId ? latest.data : null
}

/** Whether a frame was painted since the span was selected. */
function useIsPainted(eventId: string): boolean {
  const [paintedId, setPaintedId] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A timer that is set inside of a frame runs after that frame is painted.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPaintedId(eventId))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [eventId])
  return paintedId === eventId
}

type PartProps = PanelContext & { readonly name: PartName; readonly detail: SpanDetail }

/** Memoized: the view around the panel renders at each key that is typed into its search. */
const Part = memo(function Part({ name, detail, ...context }: PartProps) {
  if (name === 'messages') return <MessagesTab {...context} detail={detail} />
  if (name === 'tool') return <ToolTab {...context} detail={detail} />
  if (name === 'attributes') return <AttributesTab detail={detail} />
  return name === 'events' ? <EventsTab {...context} detail={detail} /> : <RawTab detail={detail} />
})
