// What settling changes in the counts of the instrumentation scope that sent a span: whether its call is told twice, counts, and is
// without a price, and whether its agent has a name.
import { isModelCall } from '../../measure/counters.ts'
import { type ScopeDelta, scopeSumsOf } from '../../measure/scope-sums.ts'
import type { Resolved } from '../../otlp/trace/resolve.ts'
import type { FactRow } from '../../rollups/read-facts.ts'

/** A span as it was stored. */
export type ScopedSpan = {
  readonly workspace_id: string
  readonly counted: boolean
  readonly told_twice: boolean
  /** Null: the resource names the agent, or an older release stored the span. */
  readonly agent_unnamed: boolean | null
}

export type ScopedChange = { readonly span: ScopedSpan; readonly now: Resolved }

/** What counting needs of a stored span beside its fact. */
export type ScopeRow = {
  readonly scope_name: string | null
  readonly scope_version: string | null
  readonly dialect: string | null
}

/** What the span says of its agent's name now. */
export const agentUnnamed = ({ span, now }: ScopedChange): boolean | null =>
  span.agent_unnamed === null ? null : !now.hasAgent

export const isScopeMoved = (change: ScopedChange): boolean =>
  change.span.counted !== change.now.counted ||
  change.span.told_twice !== change.now.toldTwice ||
  change.span.agent_unnamed !== agentUnnamed(change)

const minuteMs = 60_000

/** Adds the difference to those of its workspace. */
export function addScopeChange(deltas: Map<string, ScopeDelta>, change: ScopedChange, row: FactRow & ScopeRow): void {
  if (!isScopeMoved(change)) return
  const { span, now } = change
  const delta: ScopeDelta = deltas.get(span.workspace_id) ?? new Map()
  deltas.set(span.workspace_id, delta)
  const scope = { name: row.scope_name, version: row.scope_version, dialect: row.dialect }
  const startMs = Math.floor(row.start_us / (minuteMs * 1_000)) * minuteMs
  const sums = scopeSumsOf(delta, startMs, scope, row.kind)
  sums.lastUs = Math.max(sums.lastUs, row.start_us)
  sums.toldTwice += Number(now.toldTwice) - Number(span.told_twice)
  sums.repeated += Number(now.toldTwice && !now.counted) - Number(span.told_twice && !span.counted)
  sums.agentsUnnamed += Number(agentUnnamed(change) === true) - Number(span.agent_unnamed === true)
  const hasTokens = row.input_tokens !== null || row.output_tokens !== null
  if (isModelCall(row) && row.cost_usd === null && hasTokens) {
    sums.unpriced += Number(now.counted) - Number(span.counted)
  }
}
