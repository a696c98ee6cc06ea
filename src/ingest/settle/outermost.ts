// Finds the outermost calls of a trace: calls whose ancestors, if any, all report the same call.
import type { Kind } from '../../event/event.ts'
import type { Tx } from '../../store/database.ts'
import type { SettledSpan, SettledTrace } from './trace-span.ts'

/** The columns of a span that the check reads. */
export type PlacedSpan = {
  readonly workspace_id: string
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly kind: string
}

/** The maximum number of ancestors that are checked: parents may form a cycle. */
const maxSteps = 16

const keyOf = ({ workspace_id, trace_id }: PlacedSpan, spanId: string): string =>
  `${workspace_id} ${trace_id} ${spanId}`

/** `around`: spans around calls, by their keys. Returns whether the ancestors of the call, up to a root, are all in it and of its kind. */
function isOutermost(call: PlacedSpan, around: ReadonlyMap<string, PlacedSpan>): boolean {
  let parentId = call.parent_span_id
  for (let step = 0; parentId !== null && step < maxSteps; step++) {
    const parent = around.get(keyOf(call, parentId))
    if (parent?.kind !== call.kind) return false
    parentId = parent.parent_span_id
  }
  return parentId === null
}

/** Returns a function that checks calls of this trace. It reads the spans on its first use only, since most traces never need the check. */
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

/** Returns those of the given stored calls, none of them a root, that are outermost. One statement, or none if no call is given. */
export async function readOutermost<Call extends PlacedSpan>(tx: Tx, calls: readonly Call[]): Promise<readonly Call[]> {
  if (calls.length === 0) return []
  const rows = await tx.rows<PlacedSpan>('ingest/find-spans-around-calls', [
    calls.map(({ workspace_id }) => workspace_id),
    calls.map(({ trace_id }) => trace_id),
  ])
  const around = new Map(rows.map((row) => [keyOf(row, row.span_id), row]))
  return calls.filter((call) => isOutermost(call, around))
}
