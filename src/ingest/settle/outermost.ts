// Calls that nothing of their trace lies around but spans that report the same call.
import type { Kind } from '../../event/event.ts'
import type { Tx } from '../../store/database.ts'
import type { SettledSpan, SettledTrace } from './trace-span.ts'

/** What telling it needs of a span. */
export type PlacedSpan = {
  readonly workspace_id: string
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly kind: string
}

/** More spans around a call are not looked at: parents may be in a cycle. */
const maxSteps = 16

const keyOf = ({ workspace_id, trace_id }: PlacedSpan, spanId: string): string =>
  `${workspace_id} ${trace_id} ${spanId}`

/** `around`: spans around calls, by their keys. */
function isOutermost(call: PlacedSpan, around: ReadonlyMap<string, PlacedSpan>): boolean {
  let parentId = call.parent_span_id
  for (let step = 0; parentId !== null && step < maxSteps; step++) {
    const parent = around.get(keyOf(call, parentId))
    if (parent?.kind !== call.kind) return false
    parentId = parent.parent_span_id
  }
  return parentId === null
}

/** Whether a call of this trace is; a function, since most traces have no call that is asked for. */
export function outermostOf({ spans }: SettledTrace): (call: PlacedSpan) => boolean {
  let around: ReadonlyMap<string, PlacedSpan> | undefined
  return (call) => {
    if (call.parent_span_id === null) return true
    around ??= new Map(spans.filter(liesAroundCall).map(({ span }) => [keyOf(span, span.span_id), span]))
    return isOutermost(call, around)
  }
}

const modelKinds: ReadonlySet<Kind> = new Set(['llm', 'embedding'])

const liesAroundCall = ({ span, now }: SettledSpan): boolean => modelKinds.has(span.kind) && now.callAt < 0

/** Those of the given stored calls, none of them a root, that are. One statement, or none where none is given. */
export async function readOutermost<Call extends PlacedSpan>(tx: Tx, calls: readonly Call[]): Promise<readonly Call[]> {
  if (calls.length === 0) return []
  const rows = await tx.rows<PlacedSpan>('ingest/find-spans-around-calls', [
    calls.map(({ workspace_id }) => workspace_id),
    calls.map(({ trace_id }) => trace_id),
  ])
  const around = new Map(rows.map((row) => [keyOf(row, row.span_id), row]))
  return calls.filter((call) => isOutermost(call, around))
}
