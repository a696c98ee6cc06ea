// The events and links of a span.
import { formatDuration } from '../../format/index.ts'
import { JsonTree } from '../content/JsonTree.tsx'
import type { SpanDetail } from '../use-detail.ts'
import styles from './panel.module.css'
import type { PanelContext } from './panel-context.ts'

type Props = PanelContext & { readonly detail: SpanDetail }

export function EventsTab({ detail: { events, links, dropped, start_time: start }, workspaceId }: Props) {
  if (events.length === 0 && links.length === 0)
    return <p className={styles.note}>The span has no events and no links.</p>
  return (
    <>
      <ol className={styles.events}>
        {events.map(({ name, time, attributes }, at) => (
          <li key={`${at}`}>
            <strong>{name}</strong>{' '}
            {time === null ? null : (
              <span className={styles.faint}>after {formatDuration(Date.parse(time) - Date.parse(start))}</span>
            )}
            <JsonTree level={1} value={attributes} />
          </li>
        ))}
      </ol>
      {links.length === 0 ? null : <h3 className={styles.label}>Links</h3>}
      <ul className={styles.events}>
        {links.map(({ trace_id: traceId, span_id: spanId, attributes }, at) => (
          <li key={`${at}`}>
            <a href={`/w/${workspaceId}/traces/${traceId}?span=${spanId}`}>
              Span {spanId} of trace {traceId}
            </a>
            <JsonTree level={1} value={attributes} />
          </li>
        ))}
      </ul>
      {dropped.events + dropped.links > 0 ? (
        <p className={styles.note}>
          The sender dropped {dropped.events} more events and {dropped.links} more links.
        </p>
      ) : null}
    </>
  )
}
