// The panel of one span beside the tree. It shows the facts of the span at once and loads its content, so that the selection
// does not wait.

import { X } from 'lucide-react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { CopyButton, ErrorNote, Skeleton } from '../../ui/index.ts'
import { callMarkOf, describeMarks, nameOf } from '../describe-node.ts'
import { CallMarkIcon, KindIcon } from '../Icons.tsx'
import { isCall } from '../light-span.ts'
import { useDetail } from '../use-detail.ts'
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

function Content(context: PanelContext & { readonly eventId: string }) {
  const { tree, node, workspaceId, eventId } = context
  const span = tree.spans[node] as SpanTree['spans'][number]
  const { data, error, refetch } = useDetail(workspaceId, eventId)
  const callMark = callMarkOf(span)
  const isTool = span.kind === 'tool'
  return (
    <>
      {callMark === null ? null : (
        <p>
          <CallMarkIcon mark={callMark} />
        </p>
      )}
      <Facts detail={data ?? null} span={span} />
      {isCall(span.kind) ? <TokenBar span={span} /> : null}
      <Tabs
        className={styles.tabs ?? ''}
        defaultSelectedKey={isTool ? 'tool' : isCall(span.kind) ? 'messages' : 'attributes'}
        key={eventId}
      >
        <TabList aria-label="Parts of the span" className={styles.tabList ?? ''}>
          <Tab className={styles.tab ?? ''} id="messages">
            Messages
          </Tab>
          <Tab className={styles.tab ?? ''} id="tool">
            Tool
          </Tab>
          <Tab className={styles.tab ?? ''} id="attributes">
            Attributes
          </Tab>
          <Tab className={styles.tab ?? ''} id="events">
            Events
          </Tab>
          <Tab className={styles.tab ?? ''} id="raw">
            Raw
          </Tab>
        </TabList>
        {data === undefined ? (
          <TabPanel id="messages" shouldForceMount>
            {error === null ? <Skeleton height={240} /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
          </TabPanel>
        ) : (
          <>
            <TabPanel id="messages">
              <MessagesTab {...context} detail={data} />
            </TabPanel>
            <TabPanel id="tool">
              <ToolTab {...context} detail={data} />
            </TabPanel>
            <TabPanel id="attributes">
              <AttributesTab detail={data} />
            </TabPanel>
            <TabPanel id="events">
              <EventsTab {...context} detail={data} />
            </TabPanel>
            <TabPanel id="raw">
              <RawTab detail={data} />
            </TabPanel>
          </>
        )}
      </Tabs>
    </>
  )
}
