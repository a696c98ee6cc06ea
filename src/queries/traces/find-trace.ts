// Reads one trace with a page of its spans.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import type { SelectedEvent } from '../events/event-shape.ts'
import { cover } from '../events/narrow-window.ts'
import { cutPage, type Page } from '../page.ts'
import type { TraceRow } from './trace-shape.ts'

type Deps = { readonly db: Database; readonly cursors: Cursors }

export type TraceQuery = {
  readonly workspaceId: string
  /** 32 lower-case hex characters. */
  readonly traceId: string
  readonly limit: number
  readonly cursor: string | undefined
}

/** The start of a span to the microsecond, and its id. */
type Key = [startKey: string, spanId: string]

/** Returns the trace and the spans of one page, in the order of their starts. */
export async function findTrace(
  deps: Deps,
  query: TraceQuery,
): Promise<Outcome<{ trace: TraceRow; spans: Page<SelectedEvent> }, 'absent' | 'cursor_invalid'>> {
  const scope = { route: 'spans', workspaceId: query.workspaceId, filters: { trace_id: query.traceId } }
  const opened = query.cursor === undefined ? null : deps.cursors.open<Key>(scope, query.cursor)
  if (opened?.ok === false) return opened
  const key = opened?.value.state ?? null
  const traceId = Buffer.from(query.traceId, 'hex')
  const spanId = key === null ? null : Buffer.from(key[1], 'hex')
  const trace = await deps.db.row<TraceRow>('queries/find-trace', [query.workspaceId, traceId])
  if (trace === null) return refuse('absent')
  // The trace row has the time range of its spans, so that of events stored in chunks only the chunks of that range are opened.
  const { from, to } = cover({ first: trace.start_time, last: trace.end_time })
  const rows = await deps.db.rows<SelectedEvent>('queries/list-spans', [
    query.workspaceId,
    traceId,
    key?.[0] ?? null,
    spanId,
    query.limit + 1,
    from,
    to,
  ])
  const seal = (last: SelectedEvent): string =>
    deps.cursors.seal(scope, [last.start_key, last.span_id] satisfies Key, opened?.value.firstReadMs)
  return ok({ trace, spans: cutPage(rows, query.limit, seal) })
}
